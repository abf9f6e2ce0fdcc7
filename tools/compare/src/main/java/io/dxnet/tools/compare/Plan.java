package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured.
 *
 * @param peers in the order of the report
 * @param sizes of payloads, bytes, ascending
 * @param threads numbers of sending threads
 * @param seconds of each measurement
 * @param verify whether every payload is checked
 * @param subject of the comparison
 */
record Plan(
        List<Peer> peers, List<Integer> sizes, List<Integer> threads, double seconds, boolean verify, Subject subject) {
    /** What is compared. */
    enum Subject {
        /** Messages. */
        MESSAGES,
        /** Messages in each mode of security; connections are made and counted. */
        SECURITY,
        /** Accesses to memory of the other side, in round trips. */
        MEMORY
    }

    /** Of the first measurement of a peer's processes, which have everything still to compile. */
    private static final double FIRST_WARMUP_SECONDS = 1.5;

    /** The same for modes of security: the JDK's TLS is slow until C2 has compiled it. */
    private static final double FIRST_WARMUP_SECONDS_SECURED = 8;

    private static final double WARMUP_PART = 0.4;
    /** Rough times to open, drain and close a round, and to start two processes. */
    private static final double ROUND_SECONDS = 0.3;

    private static final double START_SECONDS = 1.5;

    /** One measurement; round trips where there are no threads. */
    record Step(int size, int threads) {
        boolean roundTrips() {
            return threads == 0;
        }

        String title() {
            return roundTrips() ? "round trips" : threads + (threads == 1 ? " thread" : " threads");
        }
    }

    /**
     * The peers in the order of measuring: the floor, and each DXNet by whose numbers others are
     * divided, are first and last.
     */
    List<Peer> turns() {
        List<Peer> references = new ArrayList<>();
        ofRole(PeerInfo.Role.FLOOR).limit(1).forEach(references::add);
        ofRole(PeerInfo.Role.DXNET).limit(1).forEach(references::add);
        if (isPaired()) {
            ofRole(PeerInfo.Role.DXNET)
                    .filter(ours -> !references.contains(ours))
                    .filter(ours -> ofRole(PeerInfo.Role.PEER)
                            .anyMatch(peer ->
                                    peer.info().crosses().equals(ours.info().crosses())))
                    .forEach(references::add);
        }
        List<Peer> turns = new ArrayList<>(references);
        peers.stream().filter(peer -> !references.contains(peer)).forEach(turns::add);
        if (turns.size() > references.size()) {
            turns.addAll(references);
        }
        return turns;
    }

    private Stream<Peer> ofRole(PeerInfo.Role role) {
        return peers.stream().filter(peer -> peer.info().role() == role);
    }

    /** Whether connections are made and counted. */
    boolean connections() {
        return subject == Subject.SECURITY;
    }

    /** Whether a peer is compared with the DXNet that crosses the same, not with the first one. */
    boolean isPaired() {
        return subject != Subject.MESSAGES;
    }

    /** The numbers of threads, and 0 for round trips. */
    List<Integer> kinds() {
        List<Integer> kinds = new ArrayList<>(threads);
        kinds.add(0);
        return kinds;
    }

    /** What is measured of each peer, in this order. */
    List<Step> steps() {
        return sizes.stream()
                .flatMap(size -> kinds().stream().map(each -> new Step(size, each)))
                .toList();
    }

    Workload workload(Step step) {
        return step.roundTrips()
                ? new Workload(Workload.Mode.ROUND_TRIP, step.size(), 1, verify)
                : new Workload(Workload.Mode.ONE_WAY, step.size(), step.threads(), verify);
    }

    /** While connections are counted, little is sent. */
    Workload workloadOfConnections() {
        return new Workload(Workload.Mode.ROUND_TRIP, sizes.getFirst(), 1, verify);
    }

    double warmupSeconds(boolean first) {
        if (first) {
            return connections() ? FIRST_WARMUP_SECONDS_SECURED : Math.min(FIRST_WARMUP_SECONDS, 2 * seconds);
        }
        return WARMUP_PART * seconds;
    }

    /** The rough time of one turn of a peer. */
    double turnSeconds() {
        int measurements = steps().size() + (connections() ? 1 : 0);
        return START_SECONDS + warmupSeconds(true) + measurements * (seconds * (1 + WARMUP_PART) + ROUND_SECONDS);
    }
}
