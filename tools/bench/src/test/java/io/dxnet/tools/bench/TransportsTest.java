package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.bench.nodes.Transports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportsTest {
    private static String automatic(DXNetConfig.Builder builder) {
        return Transports.resolve(
                builder.transport("auto").transportOption("ib.device", "soft0").build());
    }

    @Test
    void shouldTakeTheBestThatIsThere() {
        assertThat(automatic(DXNetConfig.builder())).isEqualTo("ib");
    }

    @ParameterizedTest
    @CsvSource({
        "soft, soft@127.0.0.5",
        "soft@127.0.0.2, soft@127.0.0.5",
        "soft@10.77.0.9, soft@10.77.0.9",
        "soft0, soft0",
        "rxe1, rxe1"
    })
    void shouldGiveEachNodeItsOwnDeviceWhenTheyAreProcessesOfThisMachine(String device, String own) {
        DXNetConfig config = DXNetConfig.builder()
                .transport("ib")
                .transportOption("ib.device", device)
                .build();
        assertThat(Transports.onOwnDevice(config, 3).transportOptions()).containsEntry("ib.device", own);
    }

    /** For instance because it may not lock memory. */
    @Test
    void shouldTakeTheNextWhereNoNodeStarts() {
        assertThat(automatic(DXNetConfig.builder().transportOption("ib.port", "9")))
                .isEqualTo("nio");
    }
}
