package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeUnreachableException;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestKeys;
import io.dxnet.softhca.SoftFaults;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which nodes encrypt, and with what. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EncryptionTest {
    private static final int ENOMEM = 12;

    private final List<String> addresses = Ports.addresses(2);

    @BeforeEach
    void software() {
        IbNodes.assumeSoftware();
    }

    private static DXNetConfig.Builder settings(Encryption encryption) {
        return IbNodes.tiny(DXNetConfig.builder()).transportOption("ib.security", encryption.toString());
    }

    private static DXNetConfig.Builder withKey(Encryption encryption) {
        return Protection.KEY.member(settings(encryption));
    }

    @ParameterizedTest
    @EnumSource(
            value = SecurityMode.class,
            names = {"LOCAL", "NONE"})
    void shouldFailAtStartWhereThereIsNoKey(SecurityMode mode) {
        assertThatThrownBy(() -> new FakeEngine(settings(Encryption.AES_GCM).security(mode), Ports.map(0, addresses)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ib.security=aes-gcm needs security=key or security=tls");
    }

    @ParameterizedTest
    @EnumSource(Encryption.class)
    void shouldRefuseANodeThatDiffers(Encryption own) throws Exception {
        Encryption other = own == Encryption.NONE ? Encryption.AES_GCM : Encryption.NONE;
        try (FakeEngine listener = FakeEngine.started(withKey(own), 0, addresses);
                FakeEngine opening = FakeEngine.started(withKey(other), 1, addresses)) {
            assertThatThrownBy(() -> opening.connect(listener))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("ib.security differs: it must be equal on all nodes");
            assertThat(listener.state(1).sendQueue()).isNull();
            assertThat(listener.transport.slots.used()).isZero();
            assertThat(opening.transport.slots.used()).isZero();
        }
    }

    private static void assertConnects(DXNetConfig.Builder settings, List<String> addresses) throws Exception {
        try (FakeEngine a = FakeEngine.started(settings, 0, addresses);
                FakeEngine b = FakeEngine.started(settings, 1, addresses)) {
            a.connect(b);
            assertThat(a.state(1).receiveCipher()).isNotNull();
            assertThat(b.state(0).receiveCipher()).isNotNull();
            assertThat(a.transport.describe()).contains("aes-gcm (0 not authentic)");
        }
    }

    @Test
    void shouldEncryptWithTheSharedKey() throws Exception {
        assertConnects(withKey(Encryption.AES_GCM), addresses);
    }

    @Test
    void shouldEncryptWithMutualTls() throws Exception {
        assertConnects(TestKeys.configureShared(settings(Encryption.AES_GCM)), addresses);
    }

    /** The memory for encrypted messages can't be registered: the next attempt succeeds. */
    @Test
    void shouldConnectAfterItsMemoryCouldNotBeRegistered() throws Exception {
        SoftFaults faults = SoftFaults.of(IbNodes.DEVICE);
        try (FakeEngine listener = FakeEngine.started(withKey(Encryption.AES_GCM), 0, addresses);
                FakeEngine opening = FakeEngine.started(withKey(Encryption.AES_GCM), 1, addresses)) {
            faults.failNextCalls("ibv_reg_mr", ENOMEM, 1);
            assertThatThrownBy(() -> opening.connect(listener)).isInstanceOf(NodeUnreachableException.class);
            opening.connect(listener);
        } finally {
            faults.clear();
        }
    }
}
