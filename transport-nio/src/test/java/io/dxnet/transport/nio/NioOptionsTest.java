package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.transport.handshake.AcceptorOptions;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NioOptionsTest {
    @Test
    void shouldHaveDefaultsAndTakeSuffixes() {
        NioOptions defaults = NioOptions.from(Map.of("ib.device", "x"));
        assertThat(defaults).isEqualTo(new NioOptions(0, new AcceptorOptions(null, 1024, 256, 128, 2000, 0), 1000));
        assertThat(NioOptions.from(Map.of("nio.socketBufferBytes", "4M", "nio.bindAddress", " :: ")))
                .isEqualTo(new NioOptions(4 << 20, new AcceptorOptions("::", 1024, 256, 128, 2000, 4 << 20), 1000));
    }

    @Test
    void shouldNameKeyValueAndRangeOfWhatIsWrong() {
        String[][] wrong = {
            {"nio.socketBufferBytes", "17", "0 (left to the kernel) or 1024"},
            {"nio.socketBufferBytes", "2G", "0 to 1073741824"},
            {"nio.socketBufferBytes", "big", "whole number"},
            {"nio.backlog", "0", "1 to 65535"},
            {"nio.handshakesMax", "-1", "1 to 65535"},
            {"nio.handshakeTimeoutMs", "1", "10 to 600000"},
            {"nio.lingerMs", "", "whole number"},
            {"nio.bindAddress", " ", "empty"},
            {
                "nio.sockets",
                "1",
                "there is no such key; allowed are nio.socketBufferBytes, nio.bindAddress, nio.backlog,"
                        + " nio.handshakesMax, nio.handshakesPerAddress, nio.handshakeTimeoutMs and nio.lingerMs"
            },
        };
        for (String[] entry : wrong) {
            assertThatThrownBy(() -> NioOptions.from(Map.of(entry[0], entry[1])))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith(entry[0])
                    .hasMessageContaining(entry[2]);
        }
    }

    @Test
    void shouldSayWhyItCannotListen() throws Exception {
        try (FakeNode free = FakeNode.start(1);
                ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            assertThat(free.address().getPort()).isPositive();
            NodeMap nodes = new NodeMap(2).put(2, "127.0.0.1:" + taken.getLocalPort());
            assertThatThrownBy(() -> FakeNode.start(FakeNode.builder().build(), nodes))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("node 2 can't listen on")
                    .hasMessageContaining("in use");
            assertThatThrownBy(() -> FakeNode.start(FakeNode.builder().build(), new NodeMap(2)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("not in the node map");
            NodeMap unknown = new NodeMap(2).put(2, "no-such-host.invalid:1");
            assertThatThrownBy(() -> FakeNode.start(FakeNode.builder().build(), unknown))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("not known");
        }
    }

    @Test
    void shouldListenOnTheBindAddressAndTellThePort() throws Exception {
        try (FakeNode any = FakeNode.start(
                        1,
                        FakeNode.builder()
                                .security(SecurityMode.NONE)
                                .transportOption("nio.bindAddress", "0.0.0.0")
                                .build());
                FakeNode other = FakeNode.start(2)) {
            assertThat(any.address().getHostString()).isEqualTo("127.0.0.1");
            assertThat(any.transport().describe()).contains(":" + any.address().getPort());
            assertThat(other.connect(any)).isNotNull();
        }
    }

    @Test
    void shouldBeFoundAsAServiceOnModulePathAndClassPath() throws Exception {
        Class<?> provider = NioTransportProvider.class;
        assertThat(provider.getModule().getDescriptor().provides())
                .anyMatch(p -> p.providers().contains(provider.getName()));
        try (var in = provider.getResourceAsStream("/META-INF/services/io.dxnet.transport.TransportProvider")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(provider.getName());
        }
        NioTransportProvider nio = new NioTransportProvider();
        assertThat(nio.name()).isEqualTo("nio");
        assertThat(nio.unavailabilityCause(FakeNode.builder().build())).isEmpty();
        assertThat(nio.preference()).isPositive();
    }
}
