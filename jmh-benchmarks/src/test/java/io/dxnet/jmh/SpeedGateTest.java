package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedGateTest {
    private final SpeedRatio ratio = new SpeedRatio("a", "B.c", "B.floor", 2);

    @Test
    void shouldFailWithoutFigures() {
        assertThat(ratio.isGood()).isFalse();
        ratio.add(1, Double.MAX_VALUE);
        assertThat(ratio.isGood()).isFalse();
    }

    @Test
    void shouldCountTheFastestOfAllAttempts() {
        ratio.add(25, 10);
        assertThat(ratio.isGood()).isFalse();
        ratio.add(19, 12);
        assertThat(ratio.isGood()).isTrue();
        assertThat(ratio.ratio()).isEqualTo(1.9);
        assertThat(ratio.toString()).contains("1.90 of at most 2.00");
    }

    @Test
    void shouldFailAboveTheBound() {
        ratio.add(21, 10);
        assertThat(ratio.isGood()).isFalse();
    }

    /** Each side of each ratio is one benchmark: a pattern that finds none would never be good. */
    @Test
    void shouldNameBenchmarksThatExist() {
        for (SpeedRatio each : SpeedGate.ratios()) {
            for (String pattern : each.patterns()) {
                assertThat(ForkOptions.names(List.of(pattern))).as(pattern).hasSize(1);
            }
        }
    }
}
