package io.dxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeMapTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellWhereNodesAre() {
        NodeMap map =
                new NodeMap(7).put(0, "10.0.0.1:7000").put(65535, "[::1]:7001").put(3, "host.example:1");
        assertThat(map.ownNodeId()).isEqualTo(7);
        assertThat(map.address(0)).isEqualTo(InetSocketAddress.createUnresolved("10.0.0.1", 7000));
        assertThat(map.address(65535)).isEqualTo(InetSocketAddress.createUnresolved("::1", 7001));
        assertThat(map.address(3).getHostString()).isEqualTo("host.example");
        assertThat(map.address(4)).isNull();
        assertThat(map.nodes()).containsOnlyKeys(0, 3, 65535);
    }

    @Test
    void shouldReadAText() {
        assertThat(NodeMap.parse(1, "0=a:1, 1 = [::1]:2 ").nodes())
                .isEqualTo(new NodeMap(1).put(0, "a:1").put(1, "[::1]:2").nodes());
        for (String wrong : new String[] {"", "0", "0=a", "x=a:1", "0=a:1,", "0=a:1;1=b:2", "0=a:1,0=b:2"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> NodeMap.parse(0, wrong))
                    .withMessageContaining("id=host:port");
        }
    }

    @Test
    void shouldReadASystemProperty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMap.ofSystemProperty(0))
                .withMessageContaining("-Ddxnet.nodes=");
        System.setProperty(NodeMap.PROPERTY, "4=node4:7000");
        try {
            assertThat(NodeMap.ofSystemProperty(4).address(4).getHostString()).isEqualTo("node4");
            DXNetConfig.builder().systemProperties().build(); // it is no key of the configuration
        } finally {
            System.clearProperty(NodeMap.PROPERTY);
        }
    }

    @Test
    void shouldNumberHosts() {
        NodeMap map = NodeMap.numbered(2, 3, "store-{id}.store.example.svc:7000");
        assertThat(map.ownNodeId()).isEqualTo(2);
        assertThat(map.nodes()).containsOnlyKeys(0, 1, 2);
        assertThat(map.address(1)).isEqualTo(InetSocketAddress.createUnresolved("store-1.store.example.svc", 7000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMap.numbered(0, 2, "store:7000"))
                .withMessageContaining("{id}");
        for (int wrong : new int[] {0, -1, 65537}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> NodeMap.numbered(0, wrong, "store-{id}:7000"))
                    .withMessageContaining("1..65536");
        }
    }

    @Test
    void shouldFollowChanges() {
        NodeMap map = new NodeMap(0).put(1, "a:1");
        var before = map.nodes();
        map.put(1, "b:2").put(2, "c:3");
        assertThat(map.address(1).getHostString()).isEqualTo("b");
        map.remove(1);
        map.remove(9);
        assertThat(map.address(1)).isNull();
        assertThat(before).as("a copy").containsOnlyKeys(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65536, Integer.MIN_VALUE})
    void shouldThrowWhenANodeIdIsOutOfRange(int id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeMap(id))
                .withMessageContainingAll("" + id, "0..65535");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeMap(0).put(id, "a:1"))
                .withMessageContainingAll("" + id, "0..65535");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                ":7000",
                "host:",
                "::1",
                "::1:7000",
                "[::1:7000",
                "host:port",
                "host:65536",
                "host:-1",
                "[]:7000",
                "[ ]:7000",
                "[[]]:7000",
                "[a:7000"
            })
    void shouldNameTheAddressWhenItIsWrong(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeMap(0).put(1, address))
                .withMessageContaining("'" + address + "'");
    }

    @Test
    void shouldSayHowToWriteAnIpv6Address() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeMap(0).put(1, "fe80::1:7000"))
                .withMessageContainingAll("brackets", "[::1]:7000");
    }

    @Test
    void shouldNameTheFileWhenAnEscapeSequenceIsWrong() throws IOException {
        Path file = folder.resolve("nodes.properties");
        Files.writeString(file, "0=h\\u00e");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMap.load(0, file))
                .withMessageContaining("nodes.properties");
    }

    @Test
    void shouldReadAFile() throws IOException {
        Path file = folder.resolve("nodes.properties");
        Files.writeString(file, "# two nodes\n0=10.0.0.1:7000\n 12 = [fe80::1]:7001 \n");
        NodeMap map = NodeMap.load(12, file);
        assertThat(map.ownNodeId()).isEqualTo(12);
        assertThat(map.nodes()).containsOnlyKeys(0, 12);
        assertThat(map.address(12)).isEqualTo(InetSocketAddress.createUnresolved("fe80::1", 7001));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x=a:1", "1=a", "70000=a:1", "1=a:99999", "2="})
    void shouldNameFileAndLineWhenTheFileIsWrong(String line) throws IOException {
        Path file = folder.resolve("nodes.properties");
        Files.writeString(file, line);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMap.load(0, file))
                .withMessageContainingAll("nodes.properties", "'" + line + "'");
    }

    @Test
    void shouldNameTheFileWhenThereIsNone() {
        assertThatThrownBy(() -> NodeMap.load(0, folder.resolve("none")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldNameTheNodeThatIsThereTwice() throws IOException {
        Path file = folder.resolve("nodes.properties");
        Files.writeString(file, "1=a:7000\n2=b:7000\n2=c:7000\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMap.load(1, file))
                .withMessageContainingAll("nodes.properties", "2 is named twice", "b:7000", "c:7000");
    }
}
