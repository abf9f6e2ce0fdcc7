package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallCostTest {
    @Test
    void shouldBeCheapAtHalfOfJniAndThreeNanosecondsAboveC() {
        assertThat(new CallCost("post", 4.5, Gate.REFERENCE_JNI_NS, 1.5).isCheap())
                .isTrue();
        assertThat(new CallCost("post", 4.6, Gate.REFERENCE_JNI_NS, 1.5).isCheap())
                .isFalse();
    }

    @Test
    void shouldAllowASlowerMachineMoreInProportion() {
        assertThat(new CallCost("post", 6.7, 1.5 * Gate.REFERENCE_JNI_NS, 2.25).isCheap())
                .isTrue();
        assertThat(new CallCost("post", 3, Gate.REFERENCE_JNI_NS / 2, 1).isCheap())
                .isFalse();
    }

    @Test
    void shouldNotBeCheapAboveHalfOfJni() {
        assertThat(new CallCost("post", 4.4, 8.7, 1.5).isCheap()).isFalse();
    }

    @Test
    void shouldNotBeCheapFarAboveC() {
        assertThat(new CallCost("post", 8, 17, 1.5).isCheap()).isFalse();
    }

    @Test
    void shouldOnlyShowWhatIsNotJudged() {
        assertThat(new CallCost("post, callee DRIVER", false).isGood()).isTrue();
        assertThat(new CallCost("post, callee EMPTY", 8, 17, 1.5).isGood()).isFalse();
    }

    @Test
    void shouldSayBothDistances() {
        assertThat(new CallCost("poll", 4, 10, 1.5))
                .asString()
                .contains("0.40 of JNI", "2.50 ns above C", "(2.65 where JNI takes 10.6)");
    }
}
