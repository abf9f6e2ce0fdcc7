package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Protection;
import io.dxnet.contract.TestKeys;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.transport.ib.CipherKeys.Side;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The keys of two nodes, from their handshake. */
class CipherKeysTest {
    private static final ConnectionKey PROVED = ConnectionKey.of(new byte[32]);
    private static final QpInfo OPENING = queuePair(1);
    private static final QpInfo LISTENER = queuePair(2);

    private static QpInfo queuePair(int number) {
        return new QpInfo(new QpAddress(number, 0, 1, Gid.of(new byte[16])), 4096, 1 << 16, 5000, KeyPart.random());
    }

    static Stream<NodeSecurity> securities() {
        return Stream.of(
                NodeSecurity.of(Protection.KEY.member(DXNetConfig.builder()).build()),
                NodeSecurity.of(TestKeys.configureShared(DXNetConfig.builder()).build()));
    }

    private static SecretKey sending(CipherKeys keys) {
        return keys.secret().aes(keys.sends());
    }

    private static SecretKey receiving(CipherKeys keys) {
        return keys.secret().aes(keys.receives());
    }

    @ParameterizedTest
    @MethodSource("securities")
    void shouldBeTheOtherNodesInTheOtherDirection(NodeSecurity security) {
        CipherKeys here = CipherKeys.of(security, PROVED, Side.OPENING, OPENING, LISTENER);
        CipherKeys there = CipherKeys.of(security, PROVED, Side.LISTENER, LISTENER, OPENING);
        assertThat(sending(here)).isEqualTo(receiving(there)).isNotEqualTo(sending(there));
        assertThat(receiving(here)).isEqualTo(sending(there));
        assertThat(sending(here).getEncoded()).hasSize(32);
    }

    @ParameterizedTest
    @MethodSource("securities")
    void shouldBeOthersForOtherQueuePairs(NodeSecurity security) {
        SecretKey key = sending(CipherKeys.of(security, PROVED, Side.OPENING, OPENING, LISTENER));
        for (QpInfo other : List.of(queuePair(2), queuePair(3))) {
            assertThat(sending(CipherKeys.of(security, PROVED, Side.OPENING, OPENING, other)))
                    .isNotEqualTo(key);
            assertThat(sending(CipherKeys.of(security, PROVED, Side.OPENING, other, LISTENER)))
                    .isNotEqualTo(key);
        }
    }

    @ParameterizedTest
    @MethodSource("securities")
    void shouldBeTheSameInBothDirectionsOfANodeToItself(NodeSecurity security) {
        CipherKeys keys = CipherKeys.of(security, null, Side.ITSELF, OPENING, OPENING);
        assertThat(sending(keys)).isEqualTo(receiving(keys));
    }

    @Test
    void shouldNeedAProofWithTheSharedKey() {
        NodeSecurity key = securities().findFirst().orElseThrow();
        assertThatThrownBy(() -> CipherKeys.of(key, null, Side.OPENING, OPENING, LISTENER))
                .isInstanceOf(NullPointerException.class);
        ConnectionKey other = ConnectionKey.of(new byte[] {1});
        assertThat(sending(CipherKeys.of(key, other, Side.OPENING, OPENING, LISTENER)))
                .isNotEqualTo(sending(CipherKeys.of(key, PROVED, Side.OPENING, OPENING, LISTENER)));
    }

    @Test
    void shouldNotBeThereWithoutSecurity() {
        assertThatThrownBy(
                        () -> CipherKeys.of(new NoSecurity(SecurityMode.NONE), PROVED, Side.OPENING, OPENING, LISTENER))
                .isInstanceOf(IllegalStateException.class);
    }

    /** A key in a text would be one in a log. */
    @Test
    void shouldShowNoKeys() {
        CipherKeys keys =
                CipherKeys.of(securities().findFirst().orElseThrow(), PROVED, Side.OPENING, OPENING, LISTENER);
        assertThat(keys.toString()).contains("secret=ConnectionKey,");
    }
}
