package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunningTimeTest {
    private static final long GAP_NS = 100;

    private final RunningTime running = new RunningTime(GAP_NS);

    @Test
    void shouldCountGapsUpToTheLongest() {
        long first = running.at(Long.MAX_VALUE - 10); // nanoTime has any origin, and overflows
        assertThat(running.at(Long.MAX_VALUE) - first).isEqualTo(10);
        assertThat(running.at(Long.MIN_VALUE + GAP_NS - 1) - first).isEqualTo(10 + GAP_NS);
    }

    @Test
    void shouldCountOfALongerGapTheLongest() {
        long first = running.at(-5);
        assertThat(running.at(-5 + 50 * GAP_NS) - first).isEqualTo(GAP_NS);
        assertThat(running.at(-5 + 50 * GAP_NS + 1) - first).isEqualTo(GAP_NS + 1);
    }

    @Test
    void shouldNotRunBackwards() {
        long first = running.at(50);
        assertThat(running.at(40)).isEqualTo(first);
        assertThat(running.at(51)).isEqualTo(first + 1);
    }
}
