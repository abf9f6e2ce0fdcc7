package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallCostTest {
    @Test
    void shouldBeCheapAtHalfOfJniAndThreeNanosecondsAboveC() {
        assertThat(new CallCost("post", 4.5, 9, 1.5).isCheap()).isTrue();
    }

    @Test
    void shouldNotBeCheapAboveHalfOfJni() {
        assertThat(new CallCost("post", 4.4, 8.7, 1.5).isCheap()).isFalse();
    }

    @Test
    void shouldNotBeCheapFarAboveC() {
        assertThat(new CallCost("post", 4.6, 20, 1.5).isCheap()).isFalse();
    }

    @Test
    void shouldOnlyShowWhatIsNotJudged() {
        assertThat(new CallCost("post, callee DRIVER", false).isGood()).isTrue();
        assertThat(new CallCost("post, callee EMPTY", 4.6, 20, 1.5).isGood()).isFalse();
    }

    @Test
    void shouldSayBothDistances() {
        assertThat(new CallCost("poll", 4, 10, 1.5)).asString().contains("0.40 of JNI", "2.50 ns above C");
    }
}
