package io.dxnet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.memory.RemoteMemoryException.Outcome;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryOperationTest {
    private static final long TIME_NS = 3_600_000_000_000L;

    @Test
    @DisplayName("the time of one that is used again begins when its deadline is read first, and stays")
    void shouldBeginItsTimeWhenTheDeadlineIsReadFirst() {
        Operation operation = new Operation(7);
        assertThat(operation.hasDeadline()).isTrue();
        assertThat(operation.deadlineNs()).isEqualTo(7);

        operation.again();
        assertThat(operation.hasDeadline()).isFalse();
        long beforeNs = System.nanoTime();
        long deadlineNs = operation.deadlineNs();
        long afterNs = System.nanoTime();
        assertThat(deadlineNs - TIME_NS - beforeNs).isNotNegative();
        assertThat(afterNs - (deadlineNs - TIME_NS)).isNotNegative();
        assertThat(operation.hasDeadline()).isTrue();
        assertThat(operation.deadlineNs()).isEqualTo(deadlineNs);
    }

    private static final class Operation extends MemoryOperation {
        Operation(long deadlineNs) {
            super(Kind.READ, 0, MemorySegment.NULL, 0, 0, 0, false, deadlineNs);
        }

        void again() {
            reuse(Kind.WRITE, 0, MemorySegment.NULL, 0, 0, 0, TIME_NS);
        }

        @Override
        public void done(long previous) {
            // nothing waits for it
        }

        @Override
        public void failed(Outcome outcome, Cause cause, String detail) {
            // the same
        }
    }
}
