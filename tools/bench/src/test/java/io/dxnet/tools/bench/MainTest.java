package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench --size 0",
                "bench --pattern star",
                "bench --threads 0",
                "bench --nodes 1",
                "bench --runs 0",
                "bench --node 0",
                "bench --messages -1",
                "bench -D nonsense=1",
                "bench -D orbBytes=3",
                "bench --size 1G",
                "bench --threads 1,2,",
                "bench --handlers 129",
                "bench --parking sometimes",
                "bench --option x=1",
                "bench --nodes 8..2",
                "bench --quick",
                "bench --figure nonsense",
                "bench --figure uni --node 0",
                "bench --figure uni --csv x.csv",
                "bench --nonsense"
            })
    void shouldExitWithTwoForWrongOptions(String line) {
        assertThat(Main.run(line.split(" "))).isEqualTo(2);
    }

    @Test
    void shouldExitWithOneForATransportThatIsNotThere() {
        assertThat(Main.run("bench", "--transport", "pigeons")).isEqualTo(1);
    }

    @Test
    void shouldExplainItself() {
        assertThat(Main.run("bench", "--help")).isZero();
    }
}
