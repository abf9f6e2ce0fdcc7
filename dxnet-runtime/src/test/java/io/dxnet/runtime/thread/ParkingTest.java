package io.dxnet.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import org.junit.jupiter.api.Test;

class ParkingTest {
    private static final int PARK_NS = 1_000_000;
    private static final int STEPS = 50;

    @Test
    void shouldParkAndKeepTheFlagWhenTheThreadIsInterrupted() {
        Parking parking = new Parking(DXNetConfig.builder()
                .parkingStrategy(ParkingStrategy.ALWAYS)
                .parkNs(PARK_NS)
                .build());
        Thread.currentThread().interrupt();
        long beginNs = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            parking.pause(1000 + i);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        long ns = System.nanoTime() - beginNs;
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ns).as("time of the pauses").isGreaterThan((long) STEPS * PARK_NS / 2);
    }
}
