package io.dxnet.tools.verbs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.tools.cli.ToolException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class IdleTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void shouldEndAWaitInWhichNothingMoves(int threads) {
        Idle idle = new Idle("the test", Duration.ofMillis(20), threads);
        idle.step(true);
        assertThatThrownBy(() -> {
                    while (true) {
                        idle.step(false);
                    }
                })
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("the test");
    }

    @Test
    void shouldGoOnWhileSomethingMoves() {
        Idle idle = new Idle("the test", Duration.ofMillis(20), 1000);
        long end = System.nanoTime() + Duration.ofMillis(100).toNanos();
        assertThatCode(() -> {
                    for (long i = 0; System.nanoTime() < end; i++) {
                        idle.step(i % 100 == 0);
                    }
                })
                .doesNotThrowAnyException();
    }
}
