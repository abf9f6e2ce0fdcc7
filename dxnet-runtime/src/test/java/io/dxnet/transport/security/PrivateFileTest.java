package io.dxnet.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.contract.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The users that may own and write the files that a node trusts. */
class PrivateFileTest {
    private static final int ROOT = 0;
    private static final int SELF = 1000;
    private static final int OTHER = 1001;

    @TempDir
    private Path folder;

    private Path file(String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "content");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-r--", "rw-r--rw-", "-w--w----", "rwxrwxrwx"})
    void shouldRefuseAFileThatOthersWrite(String permissions) throws IOException {
        Path file = file(permissions);
        assertThatThrownBy(() -> PrivateFile.checkUnchangeable(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(permissions)
                .hasMessageContaining("chmod go-w");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-r--r--", "r--r--r--", "rwxr-xr-x"})
    void shouldAcceptAFileThatOthersOnlyRead(String permissions) throws IOException {
        Path file = file(permissions);
        assertThatCode(() -> PrivateFile.checkUnchangeable(file)).doesNotThrowAnyException();
    }

    @Test
    void shouldAcceptFilesOfItsOwnUserAndOfRootAlone() {
        assertThatCode(() -> PrivateFile.checkOwner(SELF, SELF)).doesNotThrowAnyException();
        assertThatCode(() -> PrivateFile.checkOwner(ROOT, SELF)).doesNotThrowAnyException();
        assertThatThrownBy(() -> PrivateFile.checkOwner(OTHER, SELF))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("user " + OTHER)
                .hasMessageContaining("user " + SELF);
        assertThatThrownBy(() -> PrivateFile.checkOwner(OTHER, ROOT)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseAFileOfAnotherOwner() throws IOException {
        Path file = file("rw-------");
        assertThatCode(() -> PrivateFile.check(file)).doesNotThrowAnyException();
        assumeTrue((Integer) Files.getAttribute(file, "unix:uid") == ROOT, "only root can change the owner of a file");
        Files.setAttribute(file, "unix:uid", OTHER);
        assertThatThrownBy(() -> PrivateFile.check(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its owner is user " + OTHER);
        assertThatThrownBy(() -> PrivateFile.checkUnchangeable(file))
                .hasMessageContaining("its owner is user " + OTHER);
        assertThatThrownBy(() -> PrivateFile.read(file, 100, (bytes, length) -> length))
                .hasMessageContaining("its owner is user " + OTHER);
    }

    @Test
    void shouldNotStartWhereOthersWriteTheTrustedAuthorities() throws IOException {
        TestKeys keys = new TestKeys(folder);
        keys.authority("ca");
        keys.trust("trust", "ca");
        keys.node("node", "ca", 1);
        DXNetConfig config =
                keys.configure(DXNetConfig.builder(), "node", "trust").build();
        NodeSecurity security = NodeSecurity.of(config);
        Files.setPosixFilePermissions(keys.store("trust"), PosixFilePermissions.fromString("rw-rw-r--"));
        for (Runnable each : new Runnable[] {() -> NodeSecurity.of(config), security::reload}) {
            assertThatThrownBy(each::run)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("tlsTrustStore=" + keys.store("trust"))
                    .hasMessageContaining("chmod go-w");
        }
        assertThat(security.describe()).contains("security=tls");
    }
}
