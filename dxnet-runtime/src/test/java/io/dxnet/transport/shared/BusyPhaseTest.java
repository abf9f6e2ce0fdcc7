package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BusyPhaseTest {
    private static final int LONG_US = 60_000_000;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    static BusyPhase phase(ParkingStrategy strategy, int spinUs, int yieldUs) {
        return BusyPhase.of(DXNetConfig.builder()
                .parkingStrategy(strategy)
                .idleSpinUs(spinUs)
                .idleYieldUs(yieldUs)
                .build());
    }

    @ParameterizedTest
    @CsvSource({"ADAPTIVE, 60000000, 0", "ADAPTIVE, 0, 60000000", "NEVER, 60000000, 60000000"})
    void shouldLookAgainAfterWorkOnly(ParkingStrategy strategy, int spinUs, int yieldUs) {
        BusyPhase busy = phase(strategy, spinUs, yieldUs);
        busy.begin(LONG_NS);
        assertThat(busy.pause()).as("there was no work yet").isFalse();
        assertThat(busy.leftNs()).isPositive();
        busy.worked();
        busy.begin(LONG_NS);
        assertThat(busy.pause()).isTrue();
        busy.begin(LONG_NS);
        assertThat(busy.pause()).as("the work is not long ago").isTrue();
    }

    @Test
    void shouldEndWithTheTimeOfTheWait() {
        BusyPhase busy = phase(ParkingStrategy.ADAPTIVE, LONG_US, 0);
        for (long ns : new long[] {0, -1, 1_000}) {
            busy.worked();
            busy.begin(ns);
            while (busy.pause()) {}
            assertThat(busy.leftNs()).isNotPositive();
        }
    }

    @Test
    void shouldEndBeforeTheWaitDoes() {
        BusyPhase busy = phase(ParkingStrategy.ADAPTIVE, 100, 100);
        busy.worked();
        busy.begin(LONG_NS);
        while (busy.pause()) {}
        assertThat(busy.leftNs()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"ALWAYS, 60000000, 60000000", "ADAPTIVE, 0, 0"})
    void shouldNotBeThere(ParkingStrategy strategy, int spinUs, int yieldUs) {
        BusyPhase busy = phase(strategy, spinUs, yieldUs);
        busy.worked();
        busy.begin(LONG_NS);
        assertThat(busy.pause()).isFalse();
    }
}
