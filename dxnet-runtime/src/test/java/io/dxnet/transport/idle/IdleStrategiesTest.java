package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import io.dxnet.transport.idle.IdleStrategy.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategiesTest {
    private static final int PARK_NS = 1_000_000;
    private static final int STEPS = 50;
    private static final int IDLE_PARK_AFTER_MS = 10_000;

    private static IdleStrategies strategies(ParkingStrategy parking) {
        return new IdleStrategies(DXNetConfig.builder()
                .parkingStrategy(parking)
                .parkNs(PARK_NS)
                .idleParkAfterMs(IDLE_PARK_AFTER_MS)
                .build());
    }

    @Test
    void shouldParkAndKeepTheFlagWhenTheThreadIsInterrupted() {
        IdleStrategies strategies = strategies(ParkingStrategy.ALWAYS);
        Thread.currentThread().interrupt();
        long beginNs = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            strategies.pause(1000 + i);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        long ns = System.nanoTime() - beginNs;
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ns).as("time of the pauses").isGreaterThan((long) STEPS * PARK_NS / 2);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotSpinWhenTheThreadsOutnumberTheCores(ParkingStrategy parking) {
        IdleStrategies strategies = strategies(parking);
        strategies.engineThreads(1_000_000);
        assertThat(strategies.firstStep()).as("a blocked thread's spins").isPositive();
        assertThat(strategies.idle().spins()).isEqualTo(parking == ParkingStrategy.NEVER);
    }

    @Test
    void shouldNeverParkIdleThreadsWhenParkingIsOff() {
        IdleStrategies strategies = strategies(ParkingStrategy.NEVER);
        strategies.engineThreads(1);
        assertThat(strategies.idle().phase(0)).isEqualTo(Phase.SPIN);
        assertThat(strategies.idle().phase(Long.MAX_VALUE - 1)).isEqualTo(Phase.YIELD);
    }

    @Test
    void shouldParkAtOnceWhenParkingIsForAlways() {
        IdleStrategies strategies = strategies(ParkingStrategy.ALWAYS);
        strategies.engineThreads(0);
        assertThat(strategies.idle()).isSameAs(IdleStrategy.PARK_AT_ONCE);
        assertThat(strategies.response().spins()).isFalse();
    }

    @Test
    void shouldCountBlockedThreadsAmongTheActive() {
        IdleStrategies strategies = strategies(ParkingStrategy.NEVER);
        strategies.engineThreads(1);
        assertThat(strategies.firstStep()).isZero();
        int blocked = 1;
        for (; strategies.firstStep() == 0; blocked++) {
            assertThat(blocked).isLessThan(1_000_000);
            strategies.blocked();
        }
        strategies.unblocked();
        assertThat(strategies.firstStep()).isZero();
    }
}
