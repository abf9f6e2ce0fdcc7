package io.dxnet.tools.ledger.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PauseMeterTest {
    /** A thread that is left would count as one of the node's. */
    @Test
    void shouldLeaveNoThreadWhenItIsClosed() {
        for (int i = 0; i < 100; i++) {
            new PauseMeter().close();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("ledger-pauses"));
        }
    }
}
