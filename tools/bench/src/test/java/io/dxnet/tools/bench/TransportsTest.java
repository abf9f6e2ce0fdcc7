package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.bench.nodes.BenchException;
import io.dxnet.tools.bench.nodes.Transports;
import org.junit.jupiter.api.Test;

class TransportsTest {
    private static String automatic(DXNetConfig.Builder builder) throws BenchException {
        return Transports.resolve(
                builder.transport("auto").transportOption("ib.device", "soft0").build());
    }

    @Test
    void shouldTakeTheBestThatIsThere() throws BenchException {
        assertThat(automatic(DXNetConfig.builder())).isEqualTo("ib");
    }

    /** For instance because it may not lock memory. */
    @Test
    void shouldTakeTheNextWhereNoNodeStarts() throws BenchException {
        assertThat(automatic(DXNetConfig.builder().transportOption("ib.port", "9")))
                .isEqualTo("nio");
    }
}
