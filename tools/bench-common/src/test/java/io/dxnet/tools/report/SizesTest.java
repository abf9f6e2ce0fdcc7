package io.dxnet.tools.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @Test
    void shouldReadOneSizeAListAndARangeOfPowersOfTwo() {
        assertThat(Sizes.parse("64")).containsExactly(64);
        assertThat(Sizes.parse("1,100, 8K,8192,1M")).containsExactly(1, 100, 8192, 1 << 20);
        assertThat(Sizes.parse("1..1M")).hasSize(21).startsWith(1, 2, 4).endsWith(1 << 20);
        assertThat(Sizes.parse("16..64,8M")).containsExactly(16, 32, 64, 8 << 20);
    }

    @Test
    void shouldKeepTheEndsOfARangeThatAreNoPowersOfTwo() {
        assertThat(Sizes.parse("3..20")).containsExactly(3, 4, 8, 16, 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "64,", "a", "1..", "..4", "8..4", "2G", "1T", "9999999999999999999", "1.5K"})
    void shouldRefuseWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Sizes.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWriteSizesAsTheyAreTyped() {
        assertThat(Sizes.format(1)).isEqualTo("1");
        assertThat(Sizes.format(1000)).isEqualTo("1000");
        assertThat(Sizes.format(4096)).isEqualTo("4K");
        assertThat(Sizes.format(8 << 20)).isEqualTo("8M");
        assertThat(Sizes.format(3L << 30)).isEqualTo("3G");
    }
}
