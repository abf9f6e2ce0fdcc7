package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.NodeSecurity;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With {@code security=key}, only a listener that has the key ends a connection by a refusal. */
class ProvedRefusalTest {
    private static final Reply ENDED = Reply.ended("that connection has ended", 5);

    private final DXNetConfig config = DXNetConfig.builder()
            .security(SecurityMode.KEY)
            .keySource(() -> List.of(new byte[32]))
            .build();
    private final KeySecurity security = (KeySecurity) NodeSecurity.of(config);
    private final Hello hello = Hello.of(config, "test", 1, 0, 7, 1, 5, new byte[0]);
    private final ActiveProof active = new ActiveProof(security);
    private final PassiveProof passive = new PassiveProof(security);

    private static Reply.Source of(ByteBuffer bytes) {
        return target -> {
            if (bytes.remaining() < target.length) {
                throw new EOFException();
            }
            bytes.get(target);
        };
    }

    private void exchange() throws IOException {
        assertThat(active.readAnswer(of(ByteBuffer.wrap(passive.answer(active.challenge())))))
                .isNull();
        byte[] sealed = active.seal(hello).array();
        int bytes = sealed.length - HandshakeDescriptor.PROOF_BYTES;
        assertThat(passive.accept(Arrays.copyOf(sealed, bytes), Arrays.copyOfRange(sealed, bytes, sealed.length)))
                .isTrue();
    }

    @Test
    void shouldEndTheConnectionWhereTheRefusalIsProved() throws IOException {
        exchange();
        assertThat(active.readReply(of(passive.seal(ENDED))).isEndOf(hello)).isTrue();
    }

    @Test
    void shouldNotEndTheConnectionWhereTheRefusalIsForged() throws IOException {
        exchange();
        byte[] forged = ActiveProof.join(ENDED.encode().array(), new byte[HandshakeDescriptor.PROOF_BYTES]);
        Reply reply = active.readReply(of(ByteBuffer.wrap(forged)));
        assertThat(reply.status()).isEqualTo(Reply.Status.STALE);
        assertThat(reply.isEndOf(hello)).isFalse();
    }

    @Test
    void shouldNotEndTheConnectionWhereTheListenerRefusesBeforeTheProofs() throws IOException {
        Reply reply = active.readAnswer(of(ENDED.encode()));
        assertThat(reply).isNotNull();
        assertThat(reply.status()).isEqualTo(Reply.Status.STALE);
        assertThat(reply.isEndOf(hello)).isFalse();
    }
}
