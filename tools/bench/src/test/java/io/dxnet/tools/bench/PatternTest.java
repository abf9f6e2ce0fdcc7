package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PatternTest {
    @Test
    void shouldSayWhoSendsToWhom() {
        assertThat(Pattern.UNI.destinations(0, 2)).containsExactly(1);
        assertThat(Pattern.UNI.destinations(1, 2)).isEmpty();
        assertThat(Pattern.BI.destinations(1, 3)).containsExactly(0);
        assertThat(Pattern.BI.destinations(2, 3)).isEmpty();
        assertThat(Pattern.RTT.destinations(0, 3)).containsExactly(1, 2);
        assertThat(Pattern.ALL_TO_ALL.destinations(1, 4)).containsExactly(2, 3, 0);
        assertThat(Pattern.RING.destinations(3, 4)).containsExactly(0);
        assertThat(Pattern.READ.destinations(0, 3)).containsExactly(1, 2);
        assertThat(Pattern.NOTIFY.destinations(1, 3)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowForEachReceiverItsSenders(Pattern pattern) {
        for (int nodes = 2; nodes < 6; nodes++) {
            int edges = 0;
            for (int node = 0; node < nodes; node++) {
                for (int source : pattern.sources(node, nodes)) {
                    assertThat(pattern.destinations(source, nodes)).contains(node);
                    edges++;
                }
                edges -= pattern.destinations(node, nodes).length;
            }
            assertThat(edges).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadItsOwnLabel(Pattern pattern) {
        assertThat(Pattern.parse(pattern.label())).isEqualTo(pattern);
    }

    @Test
    void shouldNameTheAllowedLabels() {
        assertThatThrownBy(() -> Pattern.parse("star")).hasMessageContaining("all-to-all");
    }
}
