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
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture<String> received = new CompletableFuture<>();
        try (DXNet b = DXNet.builder(new NodeMap(1).put(1, "127.0.0.1:0"))
                        .config(config(keys, one))
                        .on(WORD, (word, from) -> received.complete(word.text()))
                        .start();
                DXNet a = DXNet.builder(new NodeMap(0)
                                .put(0, "127.0.0.1:0")
                                .put(1, "127.0.0.1:" + b.nodeMap().address(1).getPort()))
                        .config(config(keys, zero))
                        .start()) {
            a.send(1, WORD, new Word("hi"));
            assertThat(received.get(20, TimeUnit.SECONDS)).isEqualTo("hi");
            assertThat(a.describe()).contains("security=tls");
            keys.rotate(10);
            a.reloadSecurity();
            assertThat(keys.node(List.of(0), 1)).isEqualTo(zero);
            a.reloadSecurity();
            keys.finishRotation();
            a.reloadSecurity();
        }
        shouldBePrivate(folder);
        assertThatThrownBy(() -> keys.init("x", 1)).isInstanceOf(ToolException.class);
        assertThatThrownBy(keys::finishRotation).isInstanceOf(ToolException.class);
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
