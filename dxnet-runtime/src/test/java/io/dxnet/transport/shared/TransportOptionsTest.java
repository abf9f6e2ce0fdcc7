package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransportOptionsTest {
    private static TransportOptions of(String... keysAndValues) {
        Map<String, String> map = new java.util.HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new TransportOptions("x", map);
    }

    @Test
    void shouldTakeNumbersWithSuffixesAndTextsWithoutWhiteSpace() {
        TransportOptions options = of("x.a", " 3K ", "x.b", "2m", "x.c", "4G", "x.d", "-7", "x.t", " eth0 ");
        assertThat(options.number("a", 0, 0, 4096)).isEqualTo(3072);
        assertThat(options.number("b", 0, 0, 1 << 30)).isEqualTo(2 << 20);
        assertThat(options.number("c", 0L, 0L, 1L << 40)).isEqualTo(4L << 30);
        assertThat(options.number("d", 0, -10, 10)).isEqualTo(-7);
        assertThat(options.number("none", 5, 0, 1)).isEqualTo(5);
        assertThat(options.text("t", null, "a device")).isEqualTo("eth0");
        assertThat(options.text("u", "byDefault", "a device")).isEqualTo("byDefault");
        options.rejectOthers();
    }

    @Test
    void shouldNameKeyValueAndRange() {
        TransportOptions options =
                of("x.big", "9223372036854775807G", "x.word", "1 K", "x.none", "", "x.three", "3", "x.blank", " ");
        for (String name : new String[] {"big", "word", "none"}) {
            assertThatThrownBy(() -> options.number(name, 0, 0, 1))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("x." + name + "=")
                    .hasMessageEndingWith(" is not a whole number (with K, M or G for sizes)");
        }
        assertThatThrownBy(() -> options.number("three", 0, 0, 2))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("x.three=3 is not in the allowed range 0 to 2");
        assertThat(options.notAllowed("three", "2 or 4")).hasMessage("x.three=3 is not in the allowed range 2 or 4");
        assertThatThrownBy(() -> options.text("blank", null, "names"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("x.blank is empty: allowed are names");
    }

    @Test
    void shouldHaveNoSuffixesForTimes() {
        TransportOptions options = of("x.lingerMs", "1m", "x.pauseUs", "1k", "x.waitMs", "7");
        for (String name : new String[] {"lingerMs", "pauseUs"}) {
            assertThatThrownBy(() -> options.number(name, 0, 0, 1 << 30))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageEndingWith(" is not a whole number");
        }
        assertThat(options.number("waitMs", 0, 0, 10)).isEqualTo(7);
    }

    @Test
    void shouldRejectOnlyItsOwnUnknownKeys() {
        of("y.what", "1", "xx.what", "1").rejectOthers();
        TransportOptions options = of("x.what", "1", "y.what", "1");
        options.number("first", 0, 0, 1);
        assertThatThrownBy(options::rejectOthers)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("x.what=1: there is no such key; allowed are x.first");
        options.text("second", null, "");
        options.number("third", 0, 0, 1);
        assertThatThrownBy(options::rejectOthers).hasMessageEndingWith("x.first, x.second and x.third");
    }
}
