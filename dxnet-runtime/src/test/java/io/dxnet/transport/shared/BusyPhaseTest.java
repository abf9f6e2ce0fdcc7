package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BusyPhaseTest {
    private static final int LONG_US = 60_000_000;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    @ParameterizedTest
    @CsvSource({"ADAPTIVE, 60000000, 0", "ADAPTIVE, 0, 60000000", "NEVER, 60000000, 60000000"})
    void shouldLookAgainAfterWorkOnly(ParkingStrategy strategy, int busyUs, int yieldUs) {
        BusyPhase busy = BusyPhase.of(strategy, busyUs, yieldUs);
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
        BusyPhase busy = BusyPhase.of(ParkingStrategy.ADAPTIVE, LONG_US, 0);
        for (long ns : new long[] {0, -1, 1_000}) {
            busy.worked();
            busy.begin(ns);
            while (busy.pause()) {}
            assertThat(busy.leftNs()).isNotPositive();
        }
    }

    @Test
    void shouldEndBeforeTheWaitDoes() {
        BusyPhase busy = BusyPhase.of(ParkingStrategy.ADAPTIVE, 100, 100);
        busy.worked();
        busy.begin(LONG_NS);
        while (busy.pause()) {}
        assertThat(busy.leftNs()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"ALWAYS, 60000000, 60000000", "ADAPTIVE, 0, 0"})
    void shouldNotBeThere(ParkingStrategy strategy, int busyUs, int yieldUs) {
        BusyPhase busy = BusyPhase.of(strategy, busyUs, yieldUs);
        busy.worked();
        busy.begin(LONG_NS);
        assertThat(busy.pause()).isFalse();
    }
}
