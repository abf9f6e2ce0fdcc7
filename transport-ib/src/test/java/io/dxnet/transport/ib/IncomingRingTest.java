package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * The incoming ring buffer before an engine whose queue accepts so many buffers and no
 * more, and of some connections none.
 */
class IncomingRingTest {
    private final List<IncomingBuffer> taken = new ArrayList<>();
    private final List<IncomingBuffer> back = new ArrayList<>();
    private final Set<Connection> refused = new HashSet<>();
    private BooleanSupplier refusesNow = () -> false;
    private int offers;
    private int room;
    private final IncomingRing ring = new IncomingRing(new Engine(), 5);

    private final class Engine implements TransportContext {
        @Override
        public boolean offer(Connection connection, IncomingBuffer buffer) {
            offers++;
            if (room == 0 || refused.contains(connection) || refusesNow.getAsBoolean()) {
                return false;
            }
            room--;
            taken.add(buffer);
            return true;
        }

        @Override
        public DXNetConfig config() {
            throw new AssertionError();
        }

        @Override
        public NodeMap nodeMap() {
            throw new AssertionError();
        }

        @Override
        public long incarnation() {
            throw new AssertionError();
        }

        @Override
        public void refused(String cause, String from) {}

        @Override
        public NodeSecurity security() {
            return new NoSecurity(SecurityMode.LOCAL);
        }

        @Override
        public AgentThreads agentThreads() {
            throw new AssertionError();
        }

        @Override
        public IncomingBufferPool pool() {
            throw new AssertionError();
        }

        @Override
        public Connection incoming(int nodeId, long incarnation, Connection expected) {
            throw new AssertionError();
        }

        @Override
        public void incomingReady(Connection connection, Directions ready) {
            throw new AssertionError();
        }

        @Override
        public void connectionLost(Connection connection, String detail) {
            throw new AssertionError();
        }

        @Override
        public void error(String what, Throwable error) {
            throw new AssertionError();
        }
    }

    private static IbConnection connection() {
        OutgoingRingBuffer outgoing = new OutgoingRingBuffer(Arena.ofAuto().allocate(4096, 64), 16, 4096);
        return new IbConnection(null, new Wire.SteppingConnection(outgoing), 1, null, null, null);
    }

    private IncomingBuffer buffer() {
        return new IncomingBuffer(back::add, Arena.ofAuto().allocate(64));
    }

    private List<IncomingBuffer> push(IbConnection from, int count) {
        List<IncomingBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(buffer());
            ring.push(from, buffers.get(i));
        }
        return buffers;
    }

    @Test
    void shouldHandOverInOrderAsFarAsTheEngineTakes() {
        List<IncomingBuffer> all = push(connection(), 8);
        assertThat(ring.room()).as("rounded up to a power of two").isZero();
        assertThatThrownBy(() -> ring.push(connection(), buffer())).isInstanceOf(IllegalStateException.class);
        assertThat(ring.dispatch()).isZero();
        room = 3;
        assertThat(ring.dispatch()).isEqualTo(3);
        assertThat(ring.room()).isEqualTo(3);
        room = 100;
        assertThat(ring.dispatch()).isEqualTo(5);
        assertThat(taken).isEqualTo(all);
        assertThat(ring.isEmpty()).isTrue();
        assertThat(back).isEmpty();
    }

    @Test
    void shouldGoRoundAndRound() {
        room = Integer.MAX_VALUE;
        List<IncomingBuffer> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.addAll(push(connection(), 1 + i % 8));
            ring.dispatch();
        }
        assertThat(taken).isEqualTo(all);
    }

    @Test
    void shouldGiveBackWhatIsLeftOfAConnectionThatEnded() {
        IbConnection good = connection();
        IbConnection ended = connection();
        List<IncomingBuffer> kept = push(good, 2);
        List<IncomingBuffer> dropped = push(ended, 2);
        kept.addAll(push(good, 1));
        assertThat(ring.holds(ended)).isTrue();
        ring.purge(ended);
        assertThat(ring.holds(ended)).isFalse();
        room = 100;
        assertThat(ring.dispatch()).isEqualTo(5);
        assertThat(taken).isEqualTo(kept);
        assertThat(back).isEqualTo(dropped);
    }

    @Test
    void shouldGiveEverythingBackAtTheEnd() {
        IbConnection ended = connection();
        List<IncomingBuffer> all = push(ended, 3);
        all.addAll(push(connection(), 3));
        ring.purge(ended);
        ring.clear();
        assertThat(back).isEqualTo(all);
        assertThat(ring.isEmpty()).isTrue();
    }

    /** Else the gaps of that pass would end each later one. */
    @Test
    void shouldContinueAfterAnErrorOfTheEngine() {
        IbConnection slow = connection();
        List<IncomingBuffer> held = push(slow, 1);
        List<IncomingBuffer> behind = push(connection(), 3);
        room = 100;
        refused.add(slow.connection());
        OutOfMemoryError full = new OutOfMemoryError("the test wants it");
        refusesNow = () -> {
            if (taken.size() == 2) {
                refusesNow = () -> false;
                throw full;
            }
            return false;
        };
        assertThatThrownBy(ring::dispatch).isSameAs(full);
        ring.dispatch();
        assertThat(taken).isEqualTo(behind);
        refused.clear();
        ring.dispatch();
        behind.addAll(held);
        assertThat(taken).isEqualTo(behind);
        assertThat(ring.isEmpty()).isTrue();
        assertThat(ring.room()).isEqualTo(8);
    }

    @Test
    void shouldHandOverWhatIsBehindTheBuffersOfARefusedConnection() {
        IbConnection slow = connection();
        IbConnection good = connection();
        List<IncomingBuffer> held = push(slow, 2);
        List<IncomingBuffer> behind = push(good, 1);
        held.addAll(push(slow, 1));
        behind.addAll(push(good, 1));
        room = 100;
        refused.add(slow.connection());
        assertThat(ring.dispatch()).isEqualTo(2);
        assertThat(taken).isEqualTo(behind);
        assertThat(offers).as("one for the refused connection, whatever it has").isEqualTo(3);
        assertThat(ring.holds(slow)).isTrue();
        refused.clear();
        assertThat(ring.dispatch()).isEqualTo(3);
        assertThat(taken.subList(2, 5)).isEqualTo(held);
        assertThat(ring.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepTheOrderOfEachConnectionWhenAnyOfferMayBeRefused() {
        Random random = new Random(5);
        List<IbConnection> connections = List.of(connection(), connection(), connection());
        Map<IbConnection, List<IncomingBuffer>> all = new HashMap<>();
        connections.forEach(each -> all.put(each, new ArrayList<>()));
        room = Integer.MAX_VALUE;
        refusesNow = () -> random.nextInt(3) > 0; // room may appear during a pass
        for (int i = 0; i < 10_000; i++) {
            IbConnection from = connections.get(random.nextInt(3));
            if (ring.room() > 0) {
                all.get(from).addAll(push(from, 1));
            }
            ring.dispatch();
        }
        refusesNow = () -> false;
        ring.dispatch();
        assertThat(ring.isEmpty()).isTrue();
        all.forEach((from, buffers) -> assertThat(taken.stream().filter(new HashSet<>(buffers)::contains))
                .isEqualTo(buffers));
        assertThat(taken).hasSize(all.values().stream().mapToInt(List::size).sum());
    }

    @Test
    void shouldUseNoMoreRoomThanARefusedConnectionHasBuffers() {
        IbConnection slow = connection();
        push(slow, 1);
        push(connection(), 1);
        push(slow, 1);
        refused.add(slow.connection());
        room = Integer.MAX_VALUE;
        for (int i = 0; i < 100; i++) {
            ring.dispatch();
            assertThat(ring.room()).isEqualTo(6);
            push(connection(), 6);
        }
    }

    @Test
    void shouldGiveBackWhatIsLeftOfAnEndedConnectionBehindARefusedOne() {
        IbConnection slow = connection();
        IbConnection ended = connection();
        List<IncomingBuffer> held = push(slow, 1);
        List<IncomingBuffer> dropped = push(ended, 2);
        held.addAll(push(slow, 1));
        ring.purge(ended);
        refused.add(slow.connection());
        room = 100;
        assertThat(ring.dispatch()).isEqualTo(2);
        assertThat(back).isEqualTo(dropped);
        ring.purge(slow);
        assertThat(ring.holds(slow)).isFalse();
        ring.clear();
        assertThat(back).hasSize(4).containsAll(held);
        assertThat(taken).isEmpty();
    }
}
