package io.dxnet.runtime.connect;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Pairing;
import io.dxnet.transport.handshake.PairingDecision;
import io.dxnet.transport.handshake.PeerIdentity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster of some nodes on one thread with virtual time. Each step of a schedule is one event
 * of one node or of the network, chosen by a seed. At the end of a schedule everything is closed
 * and every message is accounted for: it was handled once, or its sender got a report.
 */
final class SimWorld {
    static final int KERNEL_BYTES = 3000;
    static final int RING_BYTES = 4096;
    static final int NODES = 3;
    /** Of a node. */
    static final int HANDLERS_MAX = 2;
    /** The longest time for opening a stream. */
    static final long CONNECT_NS = 2_000_000_000L;

    /** Without traffic, so that what the connection limit dismisses is gone. */
    private static final long QUIET_NS = 1_200_000_000L;
    /** The longest time until all traffic has come to its end, each wait being bounded. */
    private static final long TRAFFIC_NS = 60_000_000_000L;

    private static final long SHUTDOWN_NS = 8_000_000_000L;
    private static final long ROUND_NS = 20_000_000;
    private static final long QUIET_ROUND_NS = 100_000_000;
    private static final int TURNS_PER_ROUND = 8;
    /**
     * Of the close timeout: the shortest and the longest way of an attempt in a world that is
     * late; there, threads do not run for such times.
     */
    private static final int LATE_PART_MIN = 8;

    private static final int LATE_PART_MAX = 4;
    /** One step of so many begins with a pause of all nodes, where they are paused. */
    private static final int PAUSE_STEPS = 128;
    /** Each counts as a part of the close timeout: many with nothing between them are too much. */
    private static final int PAUSES_MAX = 2;

    /** Where memory is scarce: the least and the most of a node. */
    private static final int SCARCE_BYTES_MIN = 200;

    private static final int SCARCE_BYTES_MAX = 2200;
    /** There, one callback of so many rests for such a part of the close timeout, at most. */
    private static final int REST_CALLBACKS = 4;

    private static final int REST_PART = 3;
    /** An end waits longer for what is ahead of it. */
    private static final int REFUSAL_TIMEOUTS = 3;

    /** One turn of so many reads signals, where they are read late. */
    private static final int LAZY = 512;

    private static final StaleConnectionException STALE = new StaleConnectionException("the connection was closed");
    private static final StaleConnectionException ENDED_BY_PEER =
            StaleConnectionException.endedByPeer("the other node has ended it");
    private static final NodeUnreachableException DOWN = new NodeUnreachableException("the node is not there");
    private static final NodeUnreachableException REFUSED = new NodeUnreachableException("the node refused");
    private static final int CONFIGS = 3;
    private static final int CLOSE_TIMEOUT_MS = 1000;
    /** So long that an end which waits for its time limit stands still during the quiet. */
    private static final int PATIENT_CLOSE_TIMEOUT_MS = 6000;

    private static final DXNetConfig[] CONFIG = configs(CLOSE_TIMEOUT_MS);
    private static final DXNetConfig[] PATIENT_CONFIG = configs(PATIENT_CLOSE_TIMEOUT_MS);
    private static final byte[] NO_PAYLOAD = {};

    private static final NodeMap[] MAPS = new NodeMap[NODES];

    static {
        for (int i = 0; i < NODES; i++) {
            MAPS[i] = new NodeMap(i);
            for (int other = 0; other < NODES; other++) {
                MAPS[i].put(other, "127.0.0.1:" + (1000 + other));
            }
        }
    }

    private static DXNetConfig[] configs(int closeTimeoutMs) {
        DXNetConfig[] configs = new DXNetConfig[CONFIGS];
        for (int i = 0; i < CONFIGS; i++) {
            configs[i] = DXNetConfig.builder()
                    .ringBytes(RING_BYTES)
                    .commitSlots(16)
                    .flowControlWindowBytes(16384)
                    .maxConnections(i + 1)
                    .closeTimeoutMs(closeTimeoutMs)
                    .build();
        }
        return configs;
    }

    /** An attempt to open a stream, on its way. */
    private record Attempt(SimLink link, SimNode target, Hello hello, long arrivesNs, long deadlineNs) {}

    /** An accepted attempt, on its way back. */
    private record Accepted(SimLink link, SimLink peer, SimChannel channel) {}

    final SplittableRandom random;
    final RingMemory memory;
    final SimFaults faults;
    final DXNetConfig config;
    final long closeTimeoutNs;
    final List<SimNode> runs = new ArrayList<>(); // all that ever ran
    long now;
    long longestCallbackNs;
    long longestRefusalNs; // of reading a connection
    String violation;
    private boolean hasMoved; // in a round: something arrived or was handled
    final int handlers; // of each node
    final long memoryBytes; // for receiving, of each node
    final long requestTimeoutNs; // of callbacks' requests; 0: callbacks do not block
    private final SimTally tally;
    // An end lasted longer than its time limit, because callbacks did: the other
    // node loses the connection.
    boolean isOverdue;
    final boolean bothWays; // one attempt opens both directions, as ib and loopback do
    private final boolean disturbed; // kills, cuts, refusals: not every node is healthy
    private final boolean restless; // connections are ended all the time
    private final int lazy; // the id of a node that reads signals late; NODES and more: none
    private final boolean slow; // message handlers that do nothing for a while
    private final boolean late; // some attempts arrive late, some threads do not run for long
    private final boolean scarce; // memory for receiving, and callbacks rest
    private final boolean paused; // the machine of all nodes stands still at times
    private final SimParting parting; // null: the nodes do not part
    int pauses; // that happened: senders that waited may have timed out
    private final SimNode[] nodes = new SimNode[NODES];
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Accepted> accepted = new ArrayList<>();
    private final List<PeerConnection> unannounced = new ArrayList<>();
    private long incarnations;

    SimWorld(long seed, RingMemory memory, SimFaults faults, SimTally tally, boolean restless) {
        this.random = new SplittableRandom(seed);
        this.memory = memory;
        this.faults = faults;
        this.tally = tally;
        boolean patient = restless || random.nextBoolean();
        this.config = (patient ? PATIENT_CONFIG : CONFIG)[random.nextInt(CONFIGS)];
        this.closeTimeoutNs = config.closeTimeoutMs() * 1_000_000L;
        this.restless = restless;
        this.lazy = restless ? random.nextInt(2 * NODES) : NODES;
        this.bothWays = random.nextBoolean();
        this.disturbed = !restless && random.nextBoolean();
        this.slow = !restless && random.nextInt(4) == 0;
        this.handlers = 1 + random.nextInt(HANDLERS_MAX);
        this.requestTimeoutNs = switch (restless ? 1 : random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> 400_000_000L;
            default -> 1_500_000_000L;
        };
        this.late = random.nextInt(4) == 0;
        this.scarce = !restless && random.nextInt(4) == 0;
        this.memoryBytes = scarce ? random.nextInt(SCARCE_BYTES_MIN, SCARCE_BYTES_MAX) : Long.MAX_VALUE;
        this.paused = !restless && !disturbed && random.nextInt(4) == 0;
        this.parting = !restless && !disturbed && random.nextInt(4) == 0 ? new SimParting(this) : null;
        for (int i = 0; i < NODES; i++) {
            start(i);
        }
    }

    /** How long a thread does not run, or something is on its way: 0, or long. */
    long pauseNs() {
        boolean isLong = late && random.nextInt(3) == 0;
        return isLong ? random.nextLong(closeTimeoutNs / LATE_PART_MIN, closeTimeoutNs / LATE_PART_MAX) : 0;
    }

    /** How long a callback does nothing: 0, or long. */
    long restNs() {
        boolean isLong = scarce && random.nextInt(REST_CALLBACKS) == 0;
        return isLong ? random.nextLong(closeTimeoutNs / REST_PART) : 0;
    }

    private void start(int id) {
        nodes[id] = new SimNode(this, id, MAPS[id], ++incarnations);
        runs.add(nodes[id]);
    }

    /** The run of a node that is up, or was last. */
    SimNode current(int id) {
        return nodes[id];
    }

    boolean isHealthy() {
        return !disturbed;
    }

    /** Whether message handlers only respond. */
    boolean isParting() {
        return parting != null && parting.hasBegun();
    }

    /** Whether a direction between two nodes is being opened. */
    boolean isOpening(int one, int other) {
        return attempts.stream().anyMatch(attempt -> isBetween(attempt.link, one, other))
                || accepted.stream().anyMatch(reply -> isBetween(reply.link, one, other));
    }

    private static boolean isBetween(SimLink link, int one, int other) {
        int from = link.node.id;
        int to = link.connection.nodeId();
        return from == one && to == other || from == other && to == one;
    }

    /** Whether no sender waits for a stream so long that its time is up. */
    boolean isPrompt() {
        return !disturbed && !scarce && pauses == 0;
    }

    void violated(String what) {
        if (violation == null) {
            violation = what;
        }
    }

    /** Runs one schedule; the first violation, or null. */
    String run(int steps) {
        for (int i = 0; i < steps && violation == null; i++) {
            step(true);
        }
        if (parting != null) {
            parting.part();
        }
        settle();
        account();
        if (violation == null) {
            giveBackRings();
        }
        return violation;
    }

    /** One event; {@code busy}: the application may begin something. */
    void step(boolean busy) {
        now += random.nextInt(200_000);
        if (random.nextInt(64) == 0) {
            now += random.nextInt(40_000_000);
        }
        if (pauses < PAUSES_MAX && paused && busy && random.nextInt(PAUSE_STEPS) == 0) {
            pauses++;
            faults.pause(this, random.nextLong(closeTimeoutNs / 4, 3 * closeTimeoutNs));
        }
        SimNode node = runs.get(random.nextInt(runs.size()));
        if (restless && busy && node.up && random.nextInt(32) == 0) {
            node.disconnect(node.otherNode());
        }
        int what = random.nextInt(24);
        if (what < 3) {
            if (busy && node.up && node == nodes[node.id]) {
                node.send(random.nextInt(SimNode.THREADS), true);
            }
        } else if (what < 6) {
            network();
        } else if (what == 6 && busy) {
            event(node);
        } else if (!node.killed) {
            nodeStep(node, what);
        }
    }

    private void nodeStep(SimNode node, int what) {
        SimLink link = node.live.isEmpty() ? null : node.live.get(random.nextInt(node.live.size()));
        switch (what) {
            case 7, 8, 9 -> node.control();
            case 10, 11, 12 -> node.parse();
            case 13, 14 -> {
                if (!slow || random.nextInt(16) == 0) {
                    node.handle(random.nextInt(handlers));
                }
            }
            case 15 -> node.send(random.nextInt(SimNode.THREADS), false);
            default -> {
                if (link != null) {
                    linkStep(node, link, what);
                }
            }
        }
    }

    private void linkStep(SimNode node, SimLink link, int what) {
        switch (what) {
            case 16, 17 -> node.write(link);
            case 18, 19 -> node.read(link);
            case 20 -> node.writeBack(link);
            case 21, 22 -> {
                if (node.id != lazy || random.nextInt(LAZY) == 0) {
                    node.readBack(link);
                }
            }
            default -> node.report(link);
        }
    }

    private void event(SimNode node) {
        int what = random.nextInt(disturbed ? 12 : 6);
        int other = random.nextInt(NODES);
        if (what < 5) {
            if (node.up && other != node.id) {
                node.disconnect(other);
            }
        } else if (what < 8) {
            forge(node, other);
        } else if (what == 8 && node == nodes[node.id] && node.up) {
            node.shutDown();
        } else if (what == 9 && node == nodes[node.id] && node.up) {
            node.kill();
        } else if (what == 10) {
            if (!nodes[other].up) {
                start(other);
            }
        } else if (what == 11 && !node.live.isEmpty()) {
            SimLink link = node.live.get(random.nextInt(node.live.size()));
            if (link.outgoing != null) {
                link.outgoing.reset(); // a cut link
            }
        }
    }

    // ---------------------------------------------------------------- opening

    /** See {@link ConnectionManager.Host#open}. */
    void attempt(SimLink link) {
        SimNode target = nodes[link.connection.nodeId()];
        Hello hello = new Hello(
                link.node.id,
                link.connection.nodeId(),
                link.node.incarnation,
                link.pairing.id(),
                link.pairing.beginAttempt(),
                config.flowControlWindowBytes(),
                config.flowControlThresholdPercent(),
                "sim",
                "sim",
                NO_PAYLOAD);
        attempts.add(new Attempt(link, target, hello, now + pauseNs(), now + CONNECT_NS));
    }

    /** A stranger claims to be the node, in the run that it is in, with a later connection. */
    private void forge(SimNode node, int other) {
        if (other == node.id || !node.up || !nodes[other].up) {
            return;
        }
        Hello hello = new Hello(
                other,
                node.id,
                nodes[other].incarnation,
                Long.MAX_VALUE,
                0,
                config.flowControlWindowBytes(),
                config.flowControlThresholdPercent(),
                "sim",
                "sim",
                NO_PAYLOAD);
        for (SimLink link : node.links) {
            if (link.connection.nodeId() == other
                    && new PairingDecision<SimLink>(hello, node.id).consider(link, link.pairing, link.stage())
                            == Pairing.Claim.SUPERSEDED
                    && faults == SimFaults.HELLO_ENDS_CONNECTION) {
                link.lost = true;
                node.connections.brokenByTransport(link.connection, "node " + other + " opened a new connection");
            }
        }
    }

    /** Something on its way between listeners and connectors arrives. */
    private void network() {
        if (!unannounced.isEmpty() && random.nextInt(4) == 0) {
            PeerConnection connection = unannounced.removeLast();
            ((SimLink) connection.attachment()).node.connections.opened(connection);
        }
        int count = attempts.size() + accepted.size();
        if (count == 0) {
            return;
        }
        int which = random.nextInt(count);
        if (which < attempts.size()) {
            if (attempts.get(which).arrivesNs <= now) {
                decide(attempts.remove(which));
            }
        } else {
            arrived(accepted.remove(which - attempts.size()));
        }
    }

    private void decide(Attempt attempt) {
        SimLink link = attempt.link;
        SimNode target = attempt.target;
        if (link.node.killed) {
            return;
        }
        // A hello that was sent before the end may be read after it.
        if (link.closed && (bothWays || random.nextBoolean())) {
            stale(attempt);
        } else if (!target.up) {
            failed(link, DOWN);
        } else {
            try {
                if (bothWays) {
                    connect(attempt, target);
                } else if (!admit(attempt, target)) {
                    if (now < attempt.deadlineNs) {
                        attempts.add(attempt); // asked for again
                    } else {
                        stale(attempt);
                    }
                }
            } catch (RefusedException e) {
                if (e.isEnd() && attempt.hello.listenerConnectionId() != 0) {
                    refused(link);
                } else if (e.isStale() || e.isTemporary()) {
                    stale(attempt);
                } else {
                    failed(link, REFUSED);
                }
            }
        }
    }

    /** Once is enough: the connection has ended at the other node. */
    private void refused(SimLink link) {
        if (link.refused) {
            violated(link.node + " asked twice for a stream of a connection that has ended: " + link.connection);
        }
        link.refused = true;
        failed(link, faults == SimFaults.REFUSAL_IS_NO_END ? STALE : ENDED_BY_PEER);
    }

    private void stale(Attempt attempt) {
        failed(attempt.link, STALE);
    }

    private static void failed(SimLink link, Exception failure) {
        link.pairing.endAttempt();
        link.node.connections.openingFailed(link.connection, failure);
    }

    /** As the TCP transport's admission; false for later. */
    private boolean admit(Attempt attempt, SimNode target) throws RefusedException {
        Hello hello = attempt.hello;
        PairingDecision<SimLink> decision = new PairingDecision<>(hello, target.id);
        for (SimLink link : target.links) {
            if (link.connection.nodeId() == hello.nodeId()) {
                decision.consider(link, link.pairing, link.stage());
            }
        }
        if (decision.mustWait()) {
            return false;
        }
        SimLink expected = decision.expected();
        PeerConnection connection = target.connections.incoming(
                hello.nodeId(), hello.incarnation(), expected == null ? null : expected.connection);
        SimLink link = target.link(connection);
        boolean isWithdrawn = attempt.link.closed && random.nextBoolean(); // as a name in a folder
        if (isWithdrawn
                || link.closed
                || link.failed
                || !link.pairing.attachIncoming(new PeerIdentity(hello.incarnation(), hello.connectionId()))) {
            faults.incomingFailed(target, connection);
            throw RefusedException.stale();
        }
        SimChannel channel = new SimChannel(attempt.link, link);
        link.incoming = channel;
        target.connections.incomingReady(connection, TransportContext.Directions.INCOMING);
        accepted.add(new Accepted(attempt.link, link, channel));
        return true;
    }

    /** As the loopback transport's: one attempt opens both directions. */
    private void connect(Attempt attempt, SimNode target) throws RefusedException {
        SimLink link = attempt.link;
        if (link.outgoing == null) {
            pair(link, target);
        }
        link.pairing.endAttempt();
        link.node.connections.opened(link.connection);
    }

    private void pair(SimLink link, SimNode target) throws RefusedException {
        SimNode node = link.node;
        PeerConnection peer = target.connections.incoming(node.id, node.incarnation, null);
        SimLink back = target.link(peer);
        if (back.closed) {
            faults.incomingFailed(target, peer);
            throw RefusedException.stale();
        }
        try {
            node.connections.incoming(target.id, target.incarnation, link.connection);
        } catch (RefusedException e) {
            faults.incomingFailed(target, peer);
            throw e;
        }
        link.outgoing = new SimChannel(link, back);
        back.incoming = link.outgoing;
        back.outgoing = new SimChannel(back, link);
        link.incoming = back.outgoing;
        target.connections.incomingReady(peer, TransportContext.Directions.BOTH);
    }

    private void arrived(Accepted reply) {
        SimLink link = reply.link;
        if (link.node.killed) {
            reply.channel.endData();
            return;
        }
        PeerIdentity theirs = new PeerIdentity(reply.peer.node.incarnation, reply.peer.pairing.id());
        if (link.closed || link.failed || !link.pairing.attachOutgoing(theirs)) {
            reply.channel.endData();
            failed(link, STALE);
            return;
        }
        link.outgoing = reply.channel;
        if (faults == SimFaults.OPENED_BEFORE_ANNOUNCED) {
            link.connection.outgoingOpened();
            unannounced.add(link.connection);
        } else {
            link.node.connections.opened(link.connection);
        }
    }

    // ---------------------------------------------------------------- the end of a schedule

    private void settle() {
        long endNs = now + TRAFFIC_NS;
        long quietSinceNs = now;
        while (violation == null && now - quietSinceNs < QUIET_NS) {
            if (!round()) {
                quietSinceNs = now;
                if (now > endNs) {
                    violated("a wait without bound: there is still traffic");
                }
            }
        }
        if (violation == null) {
            tally();
            shutDown();
        }
    }

    /** One turn of each thread, and its time; true where no thread has anything to do. */
    boolean round() {
        hasMoved = false;
        boolean isQuiet = true;
        for (int i = attempts.size() + accepted.size() + unannounced.size(); i > 0; i--) {
            network();
            isQuiet = false;
            hasMoved = true;
        }
        for (SimNode node : runs) {
            if (!node.killed) {
                settle(node);
                isQuiet &= node.isIdle();
            }
        }
        now += hasMoved ? ROUND_NS : QUIET_ROUND_NS;
        return isQuiet;
    }

    private void tally() {
        tally.schedule(runs.stream().mapToInt(node -> node.sent).sum());
        if (!disturbed) {
            tally.orderly();
            runs.forEach(node -> node.asked.forEach(tally::request));
            if (isPatient()) {
                checkInOrder();
                runs.forEach(node -> node.asked.forEach(this::checkAnswered));
            }
            if (!slow) {
                runs.forEach(this::checkEnded);
            }
            if (parting != null) {
                tally.parted(parting.openingsUnderWay());
                parting.check(slow);
            }
        }
    }

    /**
     * Whether no callback lasted so long that an end stopped waiting for responses, and no refusal
     * of what a connection brings so long that its end stopped waiting for other connections.
     */
    private boolean isPatient() {
        return longestCallbackNs + QUIET_ROUND_NS < closeTimeoutNs / 2
                && longestRefusalNs < REFUSAL_TIMEOUTS * closeTimeoutNs;
    }

    private void checkAnswered(SimMessage request) {
        if (request.isLostWithItsConnection()) {
            violated("a request between healthy nodes got no response: " + request + ": " + request.request.failure());
        }
    }

    private void checkInOrder() {
        if (isOverdue && pauses == 0) {
            violated("healthy nodes did not end a connection in order");
        }
    }

    /** Nothing has moved for more than a second, and no end waits for a message handler. */
    private void checkEnded(SimNode node) {
        for (SimLink link : node.live) {
            if (!link.connection.isOpen()) {
                violated("an end stands still: " + node + " to node " + link.connection.nodeId() + ": "
                        + link.connection.life());
            }
        }
    }

    private void shutDown() {
        for (SimNode node : runs) {
            if (node.up) {
                checkLimit(node);
                node.shutDown();
            }
        }
        long endNs = now + SHUTDOWN_NS;
        boolean isOver = false;
        while (violation == null && !isOver && now < endNs) {
            isOver = round();
            for (SimNode node : runs) {
                isOver &= node.killed || node.connections.isEmpty();
            }
        }
        for (SimNode node : runs) {
            if (!node.killed && violation == null) {
                checkClosed(node);
            }
        }
    }

    private void checkClosed(SimNode node) {
        if (!node.connections.isEmpty()) {
            violated(node + " has connections after its end");
        } else if (!node.isIdle()) {
            violated(node + " has threads that wait after its end");
        } else if (node.requests.outstanding() > 0) {
            violated(node + " has requests after its end");
        }
    }

    /** The memory serves later schedules. */
    private void giveBackRings() {
        for (SimNode node : runs) {
            if (node.killed) {
                node.discard();
            } else {
                node.control();
                if (node.isPolling()) {
                    violated(node + " did not return its rings");
                }
            }
        }
    }

    /** After more than a second in which nothing was sent. */
    private void checkLimit(SimNode node) {
        long open = node.connections.connections().stream()
                .filter(PeerConnection::wasAnnounced)
                .count();
        if (!disturbed && open > config.maxConnections()) {
            violated(node + " has " + open + " connections, " + config.maxConnections() + " are allowed");
        }
    }

    private void settle(SimNode node) {
        if (node.killed) {
            return;
        }
        for (int thread = 0; thread < SimNode.THREADS; thread++) {
            node.send(thread, false);
        }
        for (int i = 0; i < node.live.size(); i++) {
            SimLink link = node.live.get(i);
            node.write(link);
            node.read(link);
            node.writeBack(link);
            node.readBack(link);
            node.report(link);
        }
        for (int i = 0; i < TURNS_PER_ROUND && node.parse(); i++) {
            hasMoved = true;
        }
        for (int handler = 0; handler < handlers; handler++) {
            for (int i = 0; i < TURNS_PER_ROUND && node.handle(handler); i++) {
                hasMoved = true;
            }
        }
        node.control();
    }

    /**
     * Each accepted message was handled, or is covered by the end of its connection, which the
     * application of its sender has got a report of, or its sender is gone.
     */
    private void account() {
        for (SimNode node : runs) {
            if (node.killed || violation != null) {
                continue;
            }
            long[] expectedBytes = new long[NODES];
            int[] expectedEnds = new int[NODES];
            for (SimLink link : node.links) {
                if (link.closed && link.connection.wasAnnounced()) {
                    expectedBytes[link.connection.nodeId()] += link.reported;
                    expectedEnds[link.connection.nodeId()]++;
                }
                long missing = 0;
                for (SimMessage message : link.stream) {
                    if (message.handled == 0 && message.fate == SimMessage.Fate.ACCEPTED) {
                        missing += message.bytes;
                    }
                }
                long reported = link.connection.wasAnnounced() ? link.reported : 0;
                if (missing > reported) {
                    violated(missing + " bytes from " + node + " to node " + link.connection.nodeId()
                            + " were neither handled nor reported (" + reported + " reported): "
                            + link.connection.life());
                } else if (missing > 0 && !disturbed && (!scarce || isPatient())) {
                    violated(missing + " bytes between healthy nodes were reported lost: " + link.connection.life());
                }
            }
            if (!Arrays.equals(expectedEnds, node.reportedEnds) || !Arrays.equals(expectedBytes, node.reportedBytes)) {
                violated(node + " reported ends " + Arrays.toString(node.reportedEnds) + " with bytes "
                        + Arrays.toString(node.reportedBytes) + ", its connections ended "
                        + Arrays.toString(expectedEnds) + " with bytes " + Arrays.toString(expectedBytes));
            }
        }
    }
}
