package io.dxnet.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.attack.Middle.Direction;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RawPeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Handshakes that are cut, slow, half open or garbage, in each mode: each one ends alone, and
 * honest nodes connect.
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS)
public abstract class GarbageContract extends AttackFixture {
    private static final int LENGTHS_BEFORE = 200;
    private static final int LENGTHS_BETWEEN = 40;
    private static final int SILENT = 600;
    /** {@code -Ddxnet.test.fuzzedHandshakes}: how many in each mode. */
    private static final int FUZZED = Integer.getInteger("dxnet.test.fuzzedHandshakes", 2000);

    private static final long SEED = Long.getLong("dxnet.test.seed", 4711);

    /** The attacks on one wire. */
    protected GarbageContract(String transport, UnaryOperator<DXNetConfig.Builder> settings) {
        super(transport, settings);
    }

    /** Each handshake that is cut anywhere ends, and the next one succeeds. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveACutInTheMiddleOfEachMessage(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(victimAddress());
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            Map<Direction, Integer> lengths = lengths(mode, middle.records().getFirst());
            disconnect(honest, victim);
            for (Direction direction : Direction.values()) {
                for (int at = 0; at < lengths.get(direction); at += step(mode)) {
                    forgetResumption(mode, honest);
                    middle.cut(direction, at);
                    assertThatThrownBy(
                                    () -> honest.node(0).connectNode(0), "cut at %d of %s %s", at, lengths, direction)
                            .isInstanceOf(NodeUnreachableException.class);
                }
            }
            middle.relay();
            assertReached(honest, 0, 0);
        }
    }

    /** A third of them sends nothing, a third a part of the first message, a third all of it. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldServeHonestNodesAmongSlowAndHalfOpenHandshakes(Protection mode) throws Exception {
        handshakeTimeoutMs = 2000;
        List<RawPeer> silent = new ArrayList<>();
        try (Cluster victim = members(mode, map(0));
                Cluster honest = members(mode, map(2))) {
            byte[] first = unfinished(mode, recordOpener(mode, victim));
            long before = victim.node(0).statistics().handshakesRefused();
            for (int i = 0; i < SILENT; i++) {
                RawPeer peer = raw();
                if (i % 3 != 0) {
                    peer.write(Arrays.copyOf(first, i % 3 == 1 ? 20 : first.length));
                }
                silent.add(peer);
            }
            assertReached(honest, 0, 0);
            for (RawPeer peer : silent) {
                assertThat(peer.isCutOff()).isTrue();
            }
            assertThat(victim.node(0).statistics().handshakesRefused() - before).isEqualTo(SILENT);
        } finally {
            for (RawPeer peer : silent) {
                peer.close();
            }
        }
    }

    /** The first message; without proofs it would be the whole handshake, so its end is missing. */
    private static byte[] unfinished(Protection mode, Opener opener) {
        byte[] first = opener.first();
        return mode.isOn() ? first : Arrays.copyOf(first, CHALLENGE_BYTES);
    }

    /** Before the first message, and after the answer to a good one. */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveGarbageOfEachLengthBeforeAndAfterTheFirstStep(Protection mode) throws Exception {
        Random random = new Random(SEED);
        try (Cluster victim = members(mode, map(0));
                Cluster honest = members(mode, map(2))) {
            byte[] first = unfinished(mode, recordOpener(mode, victim));
            for (int length = 1; length <= LENGTHS_BEFORE; length++) {
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                try (RawPeer before = raw().write(garbage)) {
                    assertEnds(before);
                }
                try (RawPeer after = raw().write(first)) {
                    if (mode.isOn()) {
                        assertThat(after.read()).isNotNegative(); // it has answered
                    }
                    assertEnds(after.write(garbage));
                }
            }
            assertReached(honest, 0, 0);
            assertThat(victim.failures).isEmpty();
        }
    }

    /** The victim ends it once the stranger does. */
    private static void assertEnds(RawPeer stranger) throws IOException {
        stranger.endOutput();
        assertThat(stranger.isCutOff()).isTrue();
    }

    /**
     * After each message of an honest node's handshake, in both directions, the last ones too: then
     * the garbage is the first that the transport gets.
     */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveGarbageAfterEachMessageOfBothNodes(Protection mode) throws Exception {
        Random random = new Random(SEED);
        try (Cluster victim = members(mode, map(0));
                Middle middle = new Middle(victimAddress());
                Cluster honest = members(mode, map(1, 0, middle.address()))) {
            honest.node(0).connectNode(0);
            Map<Direction, List<Integer>> ends = new EnumMap<>(Direction.class);
            for (Direction each : Direction.values()) {
                ends.put(each, ends(mode, middle.records().getFirst(), each));
            }
            end(middle, honest, victim);
            for (Direction direction : Direction.values()) {
                for (int at : ends.get(direction)) {
                    for (int length = 1; length <= LENGTHS_BETWEEN; length += mode == Protection.TLS ? 13 : 1) {
                        byte[] garbage = new byte[length];
                        random.nextBytes(garbage);
                        middle.insert(direction, at, garbage);
                        connect(honest);
                        end(middle, honest, victim);
                    }
                }
            }
            middle.relay();
            assertReached(honest, 0, 0);
        }
    }

    /** Whether it succeeds is not the point: where the garbage is the last, it may. */
    private static void connect(Cluster honest) throws DXNetException {
        try {
            honest.node(0).connectNode(0);
        } catch (NodeUnreachableException e) {
            // the garbage was noticed in time
        }
    }

    /**
     * Recordings of a handshake, each one changed at random places: none opens a connection where
     * nodes prove something, and the victim serves an honest node afterwards.
     */
    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldSurviveFuzzedHandshakes(Protection mode) throws Exception {
        try (Cluster victim = members(mode, map(0));
                Cluster honest = members(mode, map(2))) {
            Opener opener = recordOpener(mode, victim);
            for (int i = 0; i < FUZZED; i++) {
                try (RawPeer peer = raw()) {
                    FuzzedHandshake.send(opener, mode, new Random(SEED + i), peer);
                    assertThat(peer.isCutOff()).as("seed %d", SEED + i).isTrue();
                }
            }
            assertReached(honest, 0, 0);
            if (mode.isOn()) {
                assertThat(victim.events.stream().filter(event -> event.peer() == 1 && event.cause() == null))
                        .as("connections of node 1: the recorded one")
                        .hasSize(1);
            }
            // With none, a changed hello may be that of another node: its messages are rejected.
            assertThat(victim.failures)
                    .filteredOn(failure ->
                            mode.isOn() || !failure.what().contains("are rejected, and their sender is informed"))
                    .isEmpty();
        }
    }
}
