package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ConnectionManagerTest {
    private final DXNetConfig config = DXNetConfig.builder().build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final List<String> errors = new ArrayList<>();
    private final ControlAgent control = new ControlAgent(0, requests, (what, error) -> errors.add(what));
    private final ConnectionManager connections =
            new ConnectionManager(config, new NodeMap(0), 8, 1, new RingMemory(config.ringBytes()), requests, control);

    /**
     * The sender of an asynchronous request on a new connection, with a short time
     * limit, gets its timeout in time.
     */
    @Test
    void shouldKeepTheClockRunningForAFreshConnection() throws Exception {
        control.clock().advance(false);
        assertThat(control.clock().isIdle()).isTrue();
        connections.connectionTo(1);
        assertThat(control.clock().isIdle()).isFalse();
    }

    @Test
    void shouldKeepTheClockRunningForAConnectionThatIsUsedAgain() throws Exception {
        connections.connectionTo(1);
        control.clock().advance(false);
        control.clock().advance(false);
        assertThat(control.clock().isIdle()).isTrue();
        connections.connectionTo(1);
        assertThat(control.clock().isIdle()).isFalse();
    }

    /**
     * No thread can be started to open it, once: the next sender has to try again,
     * not to wait for that attempt for ever.
     */
    @Test
    void shouldTryAgainWhenAnAttemptCouldNotBegin() throws Exception {
        control.wire(connection -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        PeerConnection connection = connections.connectionTo(1);
        // Where it is thrown, or reported, does not matter.
        catchThrowable(() -> connections.openOutgoing(connection));
        assertThat(connection.life().isOpening()).as("%s", connection.life()).isFalse();
    }

    /**
     * One step that fails must not keep the others, each of them a connection's end,
     * from being called.
     */
    @Test
    void shouldGoOnWithTheOthersWhenAStepFails() {
        List<String> done = new ArrayList<>();
        control.poll(() -> {
            done.add("first");
            return true;
        });
        control.poll(() -> {
            throw new IllegalStateException("a step");
        });
        control.poll(() -> {
            done.add("last");
            return true;
        });
        control.progress();
        control.progress();
        assertThat(done).as("each once").containsExactly("first", "last");
        assertThat(errors).as("of the step that is tried again").hasSize(2);
    }

    @SuppressWarnings("serial") // never serialized
    private static final class FullList extends ArrayList<BooleanSupplier> {
        private boolean isFull;

        @Override
        public boolean add(BooleanSupplier step) {
            mayThrow();
            return super.add(step);
        }

        @Override
        public boolean removeIf(Predicate<? super BooleanSupplier> which) {
            mayThrow();
            return super.removeIf(which);
        }

        private void mayThrow() {
            if (isFull) {
                throw new OutOfMemoryError("the test wants it");
            }
        }
    }

    private final FullList steps = new FullList();
    private final ControlAgent full = new ControlAgent(0, requests, (what, error) -> errors.add(what), steps);

    /**
     * Else none would proceed, and none could free memory. And it throws: the thread reports it,
     * and pauses before it tries again.
     */
    @Test
    void shouldRunTheStepsWhoseListCanNotGrow() {
        List<String> done = new ArrayList<>();
        full.poll(() -> done.add("first") && done.size() == 3);
        full.progress();
        steps.isFull = true;
        full.poll(() -> done.add("second"));
        assertThatThrownBy(full::progress).isInstanceOf(OutOfMemoryError.class);
        assertThat(done).containsExactly("first", "first");
        steps.isFull = false;
        full.progress();
        full.progress();
        assertThat(done).containsExactly("first", "first", "first", "second");
        steps.isFull = true;
        full.poll(() -> done.add("third"));
        assertThatThrownBy(full::progress).as("none can free any").isInstanceOf(OutOfMemoryError.class);
        steps.isFull = false;
        full.progress();
        assertThat(done).endsWith("second", "third");
    }

    @Test
    void shouldRunOnceAStepWhoseListCanNotRemoveIt() {
        List<String> done = new ArrayList<>();
        full.poll(() -> {
            steps.isFull = true;
            return done.add("over");
        });
        full.poll(() -> !done.add("the other"));
        assertThatThrownBy(full::progress).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(full::progress).isInstanceOf(OutOfMemoryError.class);
        assertThat(done).containsExactly("over", "the other", "the other");
        steps.isFull = false;
        full.progress();
        assertThat(steps).hasSize(1);
        assertThat(done).hasSize(4);
    }

    /** Else no request of this node would time out while a listener waits, its own included. */
    @Test
    void shouldTickWhileAListenerWaits() {
        AtomicInteger ticks = new AtomicInteger();
        control.watch(() -> {
            ticks.incrementAndGet();
            return false;
        });
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        control.addListener(new ConnectionListener() {
            @Override
            public void connected(int nodeId) {
                int before = ticks.get();
                while (ticks.get() == before && System.nanoTime() - deadlineNs < 0) {
                    control.progress(); // as a wait for a response does
                }
                errors.add(ticks.get() > before ? "ticked" : "did not tick");
            }

            @Override
            public void disconnected(int nodeId, Disconnect cause) {}
        });
        control.connected(1);
        control.doWork();
        assertThat(errors).containsExactly("ticked");
    }
}
