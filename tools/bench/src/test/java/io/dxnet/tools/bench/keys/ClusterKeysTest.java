package io.dxnet.tools.bench.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.MessageType;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that nodes work with, and that no other user can reach. */
@Timeout(120)
class ClusterKeysTest {
    record Word(String text) {}

    private static final MessageType<Word> WORD = MessageType.of(1, Word.class, MethodHandles.lookup());

    @TempDir
    private Path parent;

    private static DXNetConfig config(ClusterKeys keys, Path store) {
        return DXNetConfig.builder()
                .transport("nio")
                .clusterName("müll & söhne")
                .security(SecurityMode.TLS)
                .tlsKeyStore(store.toString())
                .tlsTrustStore(keys.trustStore().toString())
                .tlsPasswordFile(keys.passwordFile().toString())
                .build();
    }

    @Test
    void shouldMakeKeysThatNodesConnectWithWhenRotatedToo() throws Exception {
        Path folder = parent.resolve("keys");
        ClusterKeys keys = new ClusterKeys(folder);
        keys.init("müll & söhne", 10);
        Path zero = keys.node(List.of(0), 1);
        Path one = keys.node(List.of(1), 1);
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (DXNet b = DXNet.builder(new NodeMap(1).put(1, "127.0.0.1:0"))
                        .config(config(keys, one))
                        .on(WORD, (word, from) -> received.add(word.text()))
                        .start();
                DXNet a = DXNet.builder(new NodeMap(0)
                                .put(0, "127.0.0.1:0")
                                .put(1, "127.0.0.1:" + b.nodeMap().address(1).getPort()))
                        .config(config(keys, zero))
                        .start()) {
            shouldArrive(a, received, "hi");
            assertThat(a.describe()).contains("security=tls");
            keys.rotate(10);
            reload(a, b);
            shouldArrive(a, received, "both authorities are trusted");
            assertThat(keys.node(List.of(0), 1)).isEqualTo(zero);
            reload(a, b);
            shouldArrive(a, received, "the certificates are of different authorities");
            assertThat(keys.node(List.of(1), 1)).isEqualTo(one);
            reload(a, b);
            keys.finishRotation();
            reload(a, b);
            shouldArrive(a, received, "the new authority is trusted alone");
        }
        shouldBePrivate(folder);
        assertThatThrownBy(() -> keys.init("x", 1)).isInstanceOf(ToolException.class);
        assertThatThrownBy(keys::finishRotation).isInstanceOf(ToolException.class);
    }

    private static void reload(DXNet... nodes) {
        for (DXNet each : nodes) {
            each.reloadSecurity();
        }
    }

    /** On a new connection, with a new handshake. */
    private static void shouldArrive(DXNet from, BlockingQueue<String> received, String word) throws Exception {
        from.disconnectNode(1);
        from.send(1, WORD, new Word(word));
        assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo(word);
    }

    private static void shouldBePrivate(Path folder) throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.toList())
                    .hasSize(6)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }
}
