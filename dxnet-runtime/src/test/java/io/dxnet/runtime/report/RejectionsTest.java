package io.dxnet.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Rejection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Rejections that wait while a listener lasts. */
class RejectionsTest {
    private static final int TYPES = 65_536;
    private static final int HOSTILE = 3;
    private static final int HONEST = 4;

    private final List<Rejection> delivered = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Rejections rejections = new Rejections(this::call, waiting::add, (what, error) -> errors.add(what));

    private Runnable call(Rejection rejection) {
        return () -> delivered.add(rejection);
    }

    private void deliver() {
        for (Runnable each = waiting.poll(); each != null; each = waiting.poll()) {
            each.run();
        }
    }

    @Test
    void shouldAddUpWhatWaitsForOneListener() {
        for (int i = 0; i < 10; i++) {
            rejections.add(HONEST, 7, 2, "reason " + i);
        }
        assertThat(waiting).hasSize(1);
        deliver();
        assertThat(delivered).containsExactly(new Rejection(HONEST, 7, 20, "reason 9"));
        rejections.add(HONEST, 7, 1, "later");
        deliver();
        assertThat(delivered).hasSize(2);
        assertThat(rejections.total()).isEqualTo(21);
        assertThat(errors).hasSize(1);
    }

    /** Else no listener would get a report of that node and type again. */
    @Test
    void shouldDeliverLaterWhatThereWasNoMemoryFor() {
        OutOfMemoryError full = new OutOfMemoryError("of the event");
        Rejections once = new Rejections(
                this::call,
                event -> {
                    if (waiting.isEmpty() && errors.isEmpty()) {
                        errors.add("full");
                        throw full;
                    }
                    waiting.add(event);
                },
                (what, error) -> {});
        assertThatThrownBy(() -> once.add(HONEST, 7, 2, "first")).isSameAs(full);
        once.add(HONEST, 7, 3, "second");
        once.add(HONEST, 7, 1, "third");
        assertThat(waiting).hasSize(1);
        deliver();
        assertThat(delivered).containsExactly(new Rejection(HONEST, 7, 6, "third"));
    }

    /** The event stays in the queue of the control thread, which runs it again. */
    @Test
    void shouldContinueWhereThereWasNoMemory() {
        Queue<String> faults = new ArrayDeque<>(List.of("making the call", "reporting", "calling"));
        Rejections failing = new Rejections(
                rejection -> {
                    throwWhere(faults, "making the call");
                    return () -> {
                        throwWhere(faults, "calling");
                        delivered.add(rejection);
                    };
                },
                waiting::add,
                (what, error) -> throwWhere(faults, "reporting"));
        failing.add(HONEST, 7, 2, "first");
        Runnable event = waiting.remove();
        for (int fault = 0; fault < 3; fault++) {
            assertThatThrownBy(event::run).isInstanceOf(OutOfMemoryError.class);
        }
        failing.add(HONEST, 7, 3, "second");
        event.run();
        assertThat(delivered).containsExactly(new Rejection(HONEST, 7, 2, "first"));
        deliver();
        assertThat(delivered)
                .containsExactly(new Rejection(HONEST, 7, 2, "first"), new Rejection(HONEST, 7, 3, "second"));
        assertThat(waiting).isEmpty();
    }

    private static void throwWhere(Queue<String> faults, String where) {
        if (where.equals(faults.peek())) {
            throw new OutOfMemoryError(faults.remove());
        }
    }

    @Test
    void shouldBoundWhatWaitsWhenANodeRejectsEachType() {
        for (int round = 0; round < 2; round++) {
            for (int type = 0; type < TYPES; type++) {
                rejections.add(HOSTILE, type, 1, "never sent");
            }
        }
        rejections.add(HONEST, 7, 1, "not registered");
        assertThat(waiting).hasSize(Rejections.TYPES_MAX + 1);
        assertThat(errors).hasSize(1).first().asString().contains("node " + HOSTILE);
        deliver();
        assertThat(delivered)
                .filteredOn(rejection -> rejection.nodeId() == HOSTILE)
                .hasSize(Rejections.TYPES_MAX)
                .allMatch(rejection -> rejection.count() == 2);
        assertThat(delivered).contains(new Rejection(HONEST, 7, 1, "not registered"));
        assertThat(rejections.total()).isEqualTo(2L * TYPES + 1);
        rejections.add(HOSTILE, TYPES - 1, 1, "there is room again");
        assertThat(waiting).hasSize(1);
    }
}
