package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IbOptionsTest {
    @ParameterizedTest
    @CsvSource({
        "port, 0, 255",
        "gidIndex, -1, 65535",
        "serviceLevel, 0, 15",
        "trafficClass, 0, 255",
        "ackTimeout, 8, 31",
        "retryCount, 0, 6",
        "minRnrTimer, 1, 31",
        "sendQueueRequests, 4, 16384",
        "sharedReceiveRequests, 16, 65536",
        "receiveSges, 1, 16",
        "receiveBufferBytes, 4096, 1048576",
        "copyBytesMax, 0, 16384",
        "sendEndpoints, 1, 64",
        "keepAliveMs, 100, 600000",
        "lingerMs, 0, 60000",
        "mtu, 256, 4096"
    })
    void shouldKeepToTheRange(String name, long least, long most) {
        IbOptions.from(Map.of("ib." + name, "" + least));
        IbOptions.from(Map.of("ib." + name, "" + most));
        for (long wrong : new long[] {least - 1, most + 1}) {
            assertThatThrownBy(() -> IbOptions.from(Map.of("ib." + name, "" + wrong)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("ib." + name);
        }
        assertThatThrownBy(() -> IbOptions.from(Map.of("ib." + name, "many")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ib." + name);
    }

    @ParameterizedTest
    @CsvSource({
        "mtu, 1000",
        "mtu, 128",
        "receiveBufferBytes, 5000",
        "receivePoolBytes, 16777215",
        "shareSendCompletions, yes",
        "threadDomains, 1",
        "copyBytesMax, 16385",
        "security, aes",
        "security, AES-GCM"
    })
    void shouldRefuseWhatDoesNotFit(String name, String value) {
        assertThatThrownBy(() -> IbOptions.from(Map.of("ib." + name, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ib." + name);
    }

    @Test
    void shouldRefuseKeysThatItDoesNotKnow() {
        assertThatThrownBy(() -> IbOptions.from(Map.of("ib.sendQueueRequest", "20")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ib.sendQueueRequest");
        IbOptions.from(Map.of("nio.backlog", "5")); // another transport's
    }

    @Test
    void shouldMakeThePoolLargeEnough() {
        IbOptions options = IbOptions.from(Map.of("ib.sharedReceiveRequests", "1K", "ib.receiveBufferBytes", "32K"));
        assertThat(options.receivePoolBytes()).isEqualTo(2L * 1024 * 4 * (32 << 10));
        assertThat(options.receiveBytesMax()).isEqualTo(4 * (32 << 10));
    }

    @ParameterizedTest
    @CsvSource({
        "port, 9, has 1 ports",
        "gidIndex, 200, that entry of port 1 is empty",
        "sharedReceiveRequests, 65536, max_srq_wr = "
    })
    void shouldNameTheDevicesLimitAndTheKey(String name, String value, String limit) {
        IbNodes.assumeSoftware();
        DXNetConfig config = IbNodes.configure(DXNetConfig.builder())
                .transportOption("ib." + name, value)
                .build();
        assertThatThrownBy(() -> new DXNet(config, new NodeMap(0).put(0, "127.0.0.1:0")).close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ib." + name)
                .hasMessageContaining(limit);
    }

    @Test
    void shouldNameADeviceThatIsNotThere() {
        DXNetConfig config = DXNetConfig.builder()
                .transport("ib")
                .transportOption("ib.device", "nosuch0")
                .build();
        assertThatThrownBy(() -> new DXNet(config, new NodeMap(0).put(0, "127.0.0.1:0")).close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("nosuch0");
    }
}
