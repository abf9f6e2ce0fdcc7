package io.dxnet.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.attack.Middle.Direction;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.TestMessages.Ping;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What the attacks share: node 0 is the victim that listens, node 1 an honest node; and where the
 * messages of a recorded handshake are.
 */
public abstract class AttackFixture {
    static final int CHALLENGE_BYTES = 48;
    static final int ANSWER_BYTES = 80;
    static final int PROOF_BYTES = 32;
    private static final int HELLO_BYTES = 56;
    private static final int REPLY_BYTES = 32;
    private static final int RECORD_HEADER_BYTES = 5; // of TLS
    /** More than a pause of the process counts for. */
    private static final int HANDSHAKE_TIMEOUT_MS = 1000;
    /** Signatures differ by some bytes in length, so two TLS handshakes do too. */
    private static final int SIGNATURES_DIFFER_BY = 8;

    final List<String> addresses = Ports.addresses(4);
    /** The opening node's time limit is five times this. */
    int handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS;

    private final String transport;
    private final UnaryOperator<DXNetConfig.Builder> settings;

    /** The attacks on one wire. */
    protected AttackFixture(String transport, UnaryOperator<DXNetConfig.Builder> settings) {
        this.transport = transport;
        this.settings = settings;
    }

    final String transport() {
        return transport;
    }

    final DXNetConfig.Builder common(DXNetConfig.Builder builder) {
        return settings.apply(builder)
                .connectTimeoutMs(5 * handshakeTimeoutMs)
                .closeTimeoutMs(500)
                .transportOption(transport + ".handshakeTimeoutMs", "" + handshakeTimeoutMs)
                .transportOption(transport + ".handshakesMax", "4096")
                .transportOption(transport + ".handshakesPerAddress", "4096");
    }

    final Cluster members(Protection mode, NodeMap... maps) {
        return new Cluster(List.of(maps), builder -> mode.member(common(builder)));
    }

    final Cluster strangers(Protection mode, NodeMap... maps) {
        return new Cluster(List.of(maps), builder -> mode.stranger(common(builder)));
    }

    final NodeMap map(int nodeId) {
        return Ports.map(nodeId, addresses);
    }

    /** A node's map in which another node is somewhere else. */
    final NodeMap map(int nodeId, int other, String address) {
        return map(nodeId).put(other, address);
    }

    final RawPeer raw() throws IOException {
        return new RawPeer(victimAddress());
    }

    final InetSocketAddress victimAddress() {
        return Ports.resolved(addresses.get(0));
    }

    static void assertReached(Cluster from, int node, int to) throws Exception {
        assertThat(from.node(node).sendSync(new Ping(to, "honest", 1), Duration.ofSeconds(30)).text)
                .isEqualTo("honest");
    }

    static void assertRefused(Cluster stranger, int to) {
        assertThatThrownBy(() -> stranger.node(0).connectNode(to)).isInstanceOf(NodeUnreachableException.class);
    }

    static void assertNothingTold(Cluster victim, int peer) {
        assertThat(victim.events).noneMatch(event -> event.peer() == peer);
        Cluster.await("a refused handshake", () -> victim.node(0).statistics().handshakesRefused() > 0);
    }

    static void disconnect(Cluster honest, Cluster victim) {
        honest.node(0).disconnectNode(0);
        Cluster.await("the end of the connection", () -> victim.end(0, 1) != null);
    }

    /** Ends whatever connection there is between them. */
    static void end(Middle middle, Cluster honest, Cluster victim) {
        middle.drop();
        honest.node(0).disconnectNode(0); // where the victim has opened its direction, which is direct
        victim.node(0).disconnectNode(1);
        Cluster.await(
                "the end of the connection",
                () -> honest.node(0).statistics().connections().isEmpty()
                        && victim.node(0).statistics().connections().isEmpty());
    }

    // ---------------------------------------------------------------- recorded handshakes

    /**
     * Where the messages of the handshake end in one direction; for TLS, where its records end.
     *
     * @param record of an honest node's handshake, copied once that node was connected: what the
     *     transport sends later is not there yet, or belongs to no handshake
     */
    static List<Integer> ends(Protection mode, Middle.Record record, Direction direction) {
        byte[] bytes = record.bytes(direction);
        List<Integer> ends = new ArrayList<>();
        if (mode == Protection.TLS) {
            int at = 0;
            while (at + RECORD_HEADER_BYTES <= bytes.length) {
                at += RECORD_HEADER_BYTES + ((bytes[at + 3] & 0xFF) << 8 | bytes[at + 4] & 0xFF);
                if (at <= bytes.length) {
                    ends.add(at);
                }
            }
            // The last message has a record of its own; shorter ones after it are the transport's.
            int shortest = direction == Direction.TO_LISTENER ? HELLO_BYTES : REPLY_BYTES;
            while (ends.size() > 1 && ends.getLast() - ends.get(ends.size() - 2) < RECORD_HEADER_BYTES + shortest) {
                ends.removeLast();
            }
            return ends;
        }
        int first = 0;
        if (mode == Protection.KEY) {
            first = direction == Direction.TO_LISTENER ? CHALLENGE_BYTES : ANSWER_BYTES;
            ends.add(first);
        }
        int last = direction == Direction.TO_LISTENER
                ? HELLO_BYTES + number(bytes, first + 48) + number(bytes, first + 50) + number(bytes, first + 52)
                : REPLY_BYTES + number(bytes, first + 12) + number(bytes, first + 14);
        ends.add(first + last + (mode == Protection.KEY ? PROOF_BYTES : 0));
        return ends;
    }

    /**
     * The bytes that one handshake has at least, in one direction: what follows them may be the
     * transport's.
     */
    static int length(Protection mode, Middle.Record record, Direction direction) {
        int last = ends(mode, record, direction).getLast();
        return mode == Protection.TLS ? last - SIGNATURES_DIFFER_BY : last;
    }

    /** The same of both directions. */
    static Map<Direction, Integer> lengths(Protection mode, Middle.Record record) {
        Map<Direction, Integer> lengths = new EnumMap<>(Direction.class);
        for (Direction each : Direction.values()) {
            lengths.put(each, length(mode, record, each));
        }
        return lengths;
    }

    /**
     * Has the next handshake of a node be a whole one. A resumed one is shorter; a handshake that
     * fails late can leave what the next one resumes.
     */
    static void forgetResumption(Protection mode, Cluster honest) {
        if (mode == Protection.TLS) {
            honest.node(0).reloadSecurity();
        }
    }

    /** A handshake of TLS is long, and expensive: attacks on each byte are on each seventh. */
    static int step(Protection mode) {
        return mode == Protection.TLS ? 7 : 1;
    }

    static int number(byte[] bytes, int at) {
        return bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8;
    }

    /**
     * What an honest node sends in a whole handshake, with the ends of its messages; what it sent
     * afterwards may follow.
     */
    record Opener(byte[] bytes, List<Integer> ends) {
        /** The first message: a hello, a challenge, or that of TLS. */
        byte[] first() {
            return Arrays.copyOf(bytes, ends.getFirst());
        }

        /** All of its messages. */
        byte[] handshake() {
            return Arrays.copyOf(bytes, ends.getLast());
        }
    }

    /** Records the handshake of an honest node, which is gone afterwards. */
    final Opener recordOpener(Protection mode, Cluster victim) throws Exception {
        try (Middle middle = new Middle(victimAddress())) {
            Opener opener;
            try (Cluster honest = members(mode, map(1, 0, middle.address()))) {
                honest.node(0).connectNode(0);
                Middle.Record record = middle.records().getFirst();
                List<Integer> ends = ends(mode, record, Direction.TO_LISTENER);
                opener = new Opener(Arrays.copyOf(record.bytes(Direction.TO_LISTENER), ends.getLast()), ends);
            }
            Cluster.await("the end of the honest node", () -> victim.end(0, 1) != null);
            return opener;
        }
    }
}
