package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.bench.nodes.Transports;
import org.junit.jupiter.api.Test;

class TransportsTest {
    private static String automatic(DXNetConfig.Builder builder) {
        return Transports.resolve(
                builder.transport("auto").transportOption("ib.device", "soft0").build());
    }

    @Test
    void shouldTakeTheBestThatIsThere() {
        assertThat(automatic(DXNetConfig.builder())).isEqualTo("ib");
    }

    /** For instance because it may not lock memory. */
    @Test
    void shouldTakeTheNextWhereNoNodeStarts() {
        assertThat(automatic(DXNetConfig.builder().transportOption("ib.port", "9")))
                .isEqualTo("nio");
    }
}
