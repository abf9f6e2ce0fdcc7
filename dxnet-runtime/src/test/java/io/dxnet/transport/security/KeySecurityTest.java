package io.dxnet.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.transport.security.ClusterKey.Proof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySecurityTest {
    private static final byte[] MESSAGE = "hello".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    private static byte[] key(int seed) {
        byte[] key = new byte[ClusterKey.BYTES_MIN];
        Arrays.fill(key, (byte) seed);
        return key;
    }

    private static String base64(byte[] key) {
        return Base64.getEncoder().encodeToString(key);
    }

    private Path file(String permissions, String text) throws IOException {
        Path file = folder.resolve("key");
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static DXNetConfig.Builder config() {
        return DXNetConfig.builder().security(SecurityMode.KEY);
    }

    private static KeySecurity read(Path file) {
        return (KeySecurity) NodeSecurity.of(config().keyFile(file.toString()).build());
    }

    private static boolean accepts(KeySecurity security, byte[] key) {
        byte[] proof = ClusterKey.of(key).prove(Proof.HELLO, MESSAGE);
        return security.keys().stream().anyMatch(each -> each.isProof(proof, Proof.HELLO, MESSAGE));
    }

    @Test
    void shouldReadTheKeysOfAFile() throws IOException {
        KeySecurity security =
                read(file("rw-------", "# of the old year\n" + base64(key(1)) + "\n\n  " + base64(key(2)) + "\r\n"));
        assertThat(security.keys()).hasSize(2);
        assertThat(accepts(security, key(1))).isTrue();
        assertThat(accepts(security, key(2))).isTrue();
        assertThat(accepts(security, key(3))).isFalse();
        assertThat(security.mode()).isEqualTo(SecurityMode.KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw-----w-", "rw----r--", "rwx------", "rw--w----"})
    void shouldRefuseAFileThatOthersReach(String permissions) throws IOException {
        Path file = file(permissions, base64(key(1)));
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("keyFile=" + file)
                .hasMessageContaining(permissions)
                .hasMessageContaining("chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing", "c2hvcnQ=", "?secret?", "x"})
    void shouldRefuseAFileWithoutAKeyAndShowNothingOfIt(String text) throws IOException {
        Path file = file("rw-------", text);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("security=key: ")
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }

    @Test
    void shouldRefuseMoreKeysThanTwo() throws IOException {
        Path file = file("rw-------", (base64(key(1)) + "\n").repeat(3));
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has 3 keys");
    }

    @Test
    void shouldRefuseWhereThereIsNoKey() {
        assertThatThrownBy(() -> read(folder.resolve("none")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> NodeSecurity.of(
                        config().keyVariable("DXNET_TEST_NO_SUCH_KEY").build()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("environment variable DXNET_TEST_NO_SUCH_KEY")
                .hasMessageContaining("keyFile");
        assertThatThrownBy(() -> NodeSecurity.of(config().keySource(() -> {
                            throw new IOException("secret");
                        })
                        .build()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("java.io.IOException")
                .hasMessageNotContaining("secret");
        assertThat(NodeSecurity.of(config().keySource(() -> List.of(key(1))).build())
                        .mode())
                .isEqualTo(SecurityMode.KEY);
        assertThatThrownBy(() -> NodeSecurity.of(config().keySource(() -> null).build()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("null");
    }

    @Test
    void shouldRefuseTwoPlacesOfTheKey() {
        assertThatThrownBy(() -> config().keyFile("/key").keySource(List::of).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("one place");
    }

    @Test
    void shouldOverwriteWhatTheApplicationReturned() {
        List<byte[]> returned = new ArrayList<>(List.of(key(1), key(2)));
        NodeSecurity.of(config().keySource(() -> returned).build());
        assertThat(returned).containsExactly(key(0), key(0));
    }

    @Test
    void shouldOverwriteTheFirstKeyWhereTheSecondIsMissing() {
        byte[] first = key(1);
        assertThatThrownBy(() -> NodeSecurity.of(
                        config().keySource(() -> Arrays.asList(first, null)).build()))
                .isInstanceOf(ConfigurationException.class);
        assertThat(first).isEqualTo(key(0));
    }

    @Test
    void shouldReadAgainAndKeepWhatItHasWhereThatFails() {
        List<byte[]> now = new ArrayList<>(List.of(key(1)));
        KeySecurity security =
                (KeySecurity) NodeSecurity.of(config().keySource(() -> now).build());
        now.set(0, key(2));
        security.reload();
        assertThat(accepts(security, key(1))).isFalse();
        assertThat(accepts(security, key(2))).isTrue();
        now.clear();
        assertThatThrownBy(security::reload).isInstanceOf(ConfigurationException.class);
        assertThat(accepts(security, key(2))).isTrue();
    }

    /** The older read would bring a key back that is not valid any more. */
    @Test
    @Timeout(60)
    void shouldKeepTheKeysThatWereReadLast() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);
        KeySecurity security = (KeySecurity) NodeSecurity.of(config().keySource(() -> {
                    int call = calls.incrementAndGet();
                    if (call == 2) {
                        reading.countDown();
                        later.await();
                    }
                    return List.of(key(call));
                })
                .build());
        Thread older = Thread.ofPlatform().start(security::reload);
        reading.await();
        Thread newer = Thread.ofPlatform().start(security::reload);
        while (newer.isAlive() && newer.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        later.countDown();
        older.join();
        newer.join();
        assertThat(accepts(security, key(3))).isTrue();
        assertThat(accepts(security, key(2))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Proof.class)
    void shouldAcceptAProofForItsOwnStepAndTranscriptAlone(Proof kind) {
        ClusterKey key = ClusterKey.of(key(1));
        byte[] proof = key.prove(kind, MESSAGE);
        for (Proof other : Proof.values()) {
            assertThat(key.isProof(proof, other, MESSAGE)).isEqualTo(other == kind);
        }
        assertThat(key.isProof(proof, kind, MESSAGE, new byte[1])).isFalse();
        assertThat(key.isProof(Arrays.copyOf(proof, 31), kind, MESSAGE)).isFalse();
        assertThat(ClusterKey.of(key(2)).isProof(proof, kind, MESSAGE)).isFalse();
    }

    /** RFC 5869, test case 1: the first 32 bytes of its result. */
    @Test
    void shouldExpandAsTheStandardStates() {
        byte[] prk = HexFormat.of().parseHex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        byte[] info = HexFormat.of().parseHex("f0f1f2f3f4f5f6f7f8f9");
        assertThat(ClusterKey.expand(new SecretKeySpec(prk, "HmacSHA256"), info).getEncoded())
                .isEqualTo(HexFormat.of().parseHex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
    }

    @Test
    void shouldDeriveAnotherKeyForEachConnectionAndPurpose() {
        ClusterKey key = ClusterKey.of(key(1));
        ConnectionKey connection = key.connection(MESSAGE);
        assertThat(connection.aes("a"))
                .isEqualTo(key.connection(MESSAGE).aes("a"))
                .isNotEqualTo(connection.aes("b"));
        assertThat(connection.aes("a")).isNotEqualTo(key.connection(new byte[1]).aes("a"));
        assertThat(connection.aes("a").getEncoded()).hasSize(32);
    }

    @Test
    void shouldShowNothingOfTheKey() throws IOException {
        Path file = file("rw-------", base64(key(7)));
        KeySecurity security = read(file);
        assertThat(security.describe()).isEqualTo("security=key (1 key of keyFile=" + file + ")");
        assertThat(security.keys().getFirst()).hasToString("ClusterKey");
        assertThat(security.keys().getFirst().connection(MESSAGE)).hasToString("ConnectionKey");
        assertThat(config().keyFile(file.toString()).build().toString()).doesNotContain(base64(key(7)));
    }
}
