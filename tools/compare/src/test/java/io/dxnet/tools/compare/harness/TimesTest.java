package io.dxnet.tools.compare.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    @Test
    void shouldReadTheTimesThatAProgramPrints() throws Exception {
        Histogram times = Times.ofPairs(List.of("900:98", "17000:1", "99000000000:1"));
        assertThat(times.getTotalCount()).isEqualTo(100);
        assertThat(times.getValueAtPercentile(50)).isEqualTo(900);
        assertThat(times.valuesAreEquivalent(times.getValueAtPercentile(99), 17_000))
                .isTrue();
        assertThat(times.valuesAreEquivalent(times.getMaxValue(), Times.LONGEST_NS))
                .isTrue();
        assertThat(Times.ofPairs(List.of()).getTotalCount()).isZero();
    }

    @Test
    void shouldReadWhatItWrote() throws Exception {
        Histogram times = Times.ofPairs(List.of("900:98", "17000:1"));
        assertThat(Times.decode(Times.encode(times))).isEqualTo(times);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "17", "17:", ":3", "x:3", "17:y", "-1:2", "17:3:4"})
    void shouldRefuseWhatIsNoTimeAndCount(String word) {
        assertThatThrownBy(() -> Times.ofPairs(List.of(word)))
                .isInstanceOf(PeerException.class)
                .hasMessageContaining("'" + word + "'");
    }

    @Test
    void shouldRefuseWhatIsNoHistogram() {
        assertThatThrownBy(() -> Times.decode("bm8gaGlzdG9ncmFt")).isInstanceOf(PeerException.class);
    }
}
