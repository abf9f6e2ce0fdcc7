package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendCreditsTest {
    @Test
    @DisplayName("a full queue accepts nothing until a signaled request completes, which frees those before it too")
    void shouldFreeUpToSignaled() {
        SendCredits credits = new SendCredits(4);
        assertThat(credits.mustSignal()).isFalse();
        assertThat(credits.take(false)).isTrue();
        assertThat(credits.mustSignal()).isTrue();
        assertThat(credits.take(false)).isTrue();
        assertThat(credits.take(true)).isTrue();
        assertThat(credits.mustSignal()).isFalse();
        assertThat(credits.take(false)).isTrue();
        assertThat(credits.take(true)).isFalse();
        credits.complete();
        assertThat(credits.free()).isEqualTo(3);
        assertThatThrownBy(credits::complete).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 31, 32, 33, 127})
    @DisplayName("with mustSignal obeyed a queue never stays full, whatever the order of posts and completions")
    void shouldNeverGetStuck(int depth) {
        SendCredits credits = new SendCredits(depth);
        Random random = new Random(depth);
        int signaled = 0;
        for (int i = 0; i < 100_000; i++) {
            boolean signal = random.nextInt(50) == 0 || credits.mustSignal();
            if (credits.take(signal)) {
                signaled += signal ? 1 : 0;
            } else {
                assertThat(signaled)
                        .describedAs("full with no completion in sight")
                        .isPositive();
            }
            if (signaled > 0 && random.nextInt(3) == 0) {
                credits.complete();
                signaled--;
            }
            assertThat(credits.free()).isBetween(0, depth);
        }
    }
}
