package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import io.dxnet.transport.idle.IdleStrategy.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleStrategyTest {
    static IdleStrategy strategy(ParkingStrategy parking, int spinUs, int yieldUs) {
        return IdleStrategy.afterWork(DXNetConfig.builder()
                .parkingStrategy(parking)
                .idleSpinUs(spinUs)
                .idleYieldUs(yieldUs)
                .build());
    }

    @ParameterizedTest
    @CsvSource({"ADAPTIVE", "NEVER"})
    void shouldSpinThenYieldThenParkWhenThereWasWork(ParkingStrategy parking) {
        IdleStrategy strategy = strategy(parking, 20, 100);
        assertThat(strategy.phase(0)).isEqualTo(Phase.SPIN);
        assertThat(strategy.phase(19_999)).isEqualTo(Phase.SPIN);
        assertThat(strategy.phase(20_000)).isEqualTo(Phase.YIELD);
        assertThat(strategy.phase(119_999)).isEqualTo(Phase.YIELD);
        assertThat(strategy.phase(120_000)).isEqualTo(Phase.PARK);
        assertThat(strategy.phase(Long.MAX_VALUE)).isEqualTo(Phase.PARK);
    }

    @ParameterizedTest
    @CsvSource({"0, 5, YIELD", "5, 0, SPIN"})
    void shouldLeaveOutAPhaseWhenItsTimeIsNone(int spinUs, int yieldUs, Phase phase) {
        IdleStrategy strategy = strategy(ParkingStrategy.ADAPTIVE, spinUs, yieldUs);
        assertThat(strategy.phase(0)).isEqualTo(phase);
        assertThat(strategy.phase(4_999)).isEqualTo(phase);
        assertThat(strategy.phase(5_000)).isEqualTo(Phase.PARK);
    }

    @ParameterizedTest
    @CsvSource({"ALWAYS, 60000000, 60000000", "ADAPTIVE, 0, 0"})
    void shouldParkAtOnceWhenItIsToDoNothingElse(ParkingStrategy parking, int spinUs, int yieldUs) {
        IdleStrategy strategy = strategy(parking, spinUs, yieldUs);
        assertThat(strategy.phase(0)).isEqualTo(Phase.PARK);
        assertThat(strategy.pause(0)).isFalse();
        assertThat(strategy.pauseSince(System.nanoTime())).isFalse();
    }

    @Test
    void shouldCheckAgainUntilItParks() {
        IdleStrategy strategy = new IdleStrategy(2, 4);
        assertThat(strategy.pause(1)).as("spins").isTrue();
        assertThat(strategy.pause(3)).as("yields").isTrue();
        assertThat(strategy.pause(4)).as("parks").isFalse();
    }
}
