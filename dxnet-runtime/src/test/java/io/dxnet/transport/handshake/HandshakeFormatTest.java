package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The bytes of the handshake on the wire, one by one. */
class HandshakeFormatTest {
    private static Hello hello(String transport, byte[] payload) {
        return Hello.of(DXNetConfig.builder().clusterName("c").build(), transport, 65535, 2, 3, 4, 5, payload);
    }

    private static byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            payload[i] = (byte) (i * 7 + 1);
        }
        return payload;
    }

    private static Reply read(byte[] bytes) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        Reply reply = Reply.read(part -> {
            if (in.readNBytes(part, 0, part.length) < part.length) {
                throw new EOFException();
            }
        });
        assertThat(in.available()).as("bytes left").isZero();
        return reply;
    }

    @Test
    void shouldReadAHelloThatComesByteByByteAndNotMore() {
        for (int bytes : new int[] {0, 1, HandshakeDescriptor.PAYLOAD_BYTES_MAX}) {
            Hello hello = hello("sixteen-bytes-ok", payload(bytes));
            byte[] wire = hello.encode().array();
            HelloReader reader = new HelloReader(HandshakeDescriptor.MODE_NONE);
            for (int i = 0; i < wire.length; i++) {
                assertThat(reader.check()).isEqualTo(HelloReader.State.INCOMPLETE);
                assertThat(reader.bytes().hasRemaining()).isTrue();
                reader.bytes().put(wire[i]);
            }
            assertThat(reader.check()).isEqualTo(HelloReader.State.COMPLETE);
            assertThat(reader.bytes().hasRemaining()).isFalse();
            assertThat(reader.hello()).usingRecursiveComparison().isEqualTo(hello);
        }
    }

    @Test
    void shouldKnowAHelloOfVersionOneByItsFirstBytes() {
        HelloReader reader = new HelloReader(HandshakeDescriptor.MODE_NONE);
        reader.bytes().putLong(HandshakeDescriptor.MAGIC).putShort((short) 1);
        assertThat(reader.check()).isEqualTo(HelloReader.State.WRONG_VERSION);
        assertThat(reader.version()).isEqualTo(1);
    }

    @Test
    void shouldGiveTheReplyBack() throws Exception {
        for (int bytes : new int[] {0, 1, HandshakeDescriptor.PAYLOAD_BYTES_MAX}) {
            Reply reply = Reply.accepting(8, 9, payload(bytes));
            assertThat(read(reply.encode().array())).usingRecursiveComparison().isEqualTo(reply);
        }
        Reply refusal = Reply.refusing("no");
        assertThat(read(refusal.encode().array())).usingRecursiveComparison().isEqualTo(refusal);
        assertThat(read(Reply.refusing("x".repeat(2000)).encode().array()).reason())
                .hasSize(1024);
    }

    /** Written out here, because it must never change: nodes of other versions read it. */
    @Test
    void shouldRefuseInTheLayoutOfVersionOne() throws Exception {
        byte[] reason = "no".getBytes(StandardCharsets.UTF_8);
        ByteBuffer wire = ByteBuffer.allocate(34)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("DXNetTCP".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 1)
                .putShort((short) 2) // refused
                .putShort((short) reason.length)
                .putShort((short) 0)
                .putLong(0)
                .putLong(0)
                .put(reason);
        assertThat(read(wire.array())).usingRecursiveComparison().isEqualTo(Reply.refusing("no"));
        wire.putShort(8, (short) 4);
        assertThat(Reply.refusing("no").encode().array()).isEqualTo(wire.array());
    }

    @Test
    void shouldNotTakeWhatIsTooLong() {
        byte[] tooLong = new byte[1025];
        assertThatThrownBy(() -> hello("ib", tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the payload has 1025 bytes; 0 to 1024 are allowed");
        assertThatThrownBy(() -> Reply.accepting(1, 1, tooLong)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> hello("seventeen-bytes--", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16 bytes");
        byte[] wire = Reply.accepting(1, 1, new byte[0])
                .encode()
                .putShort(HandshakeDescriptor.REPLY_PAYLOAD_LENGTH_OFFSET, (short) 1025)
                .array();
        assertThatThrownBy(() -> read(wire)).hasMessageContaining("does not answer as a DXNet node");
    }

    /**
     * The names' lengths are those of the bytes that came: decoded leniently,
     * these would grow to 48 bytes.
     */
    @Test
    void shouldKnowNamesThatAreNotUtf8() {
        byte[] wire = hello("sixteen-bytes-ok", payload(0)).encode().array();
        for (int at = HandshakeDescriptor.HELLO_FIXED_BYTES; at < wire.length; at++) {
            for (int bad : new int[] {0x80, 0xC0, 0xE2, 0xFF}) {
                byte[] changed = wire.clone();
                changed[at] = (byte) bad;
                HelloReader reader = new HelloReader(HandshakeDescriptor.MODE_NONE);
                reader.bytes().put(changed, 0, HandshakeDescriptor.HELLO_FIXED_BYTES);
                assertThat(reader.check()).isEqualTo(HelloReader.State.INCOMPLETE);
                reader.bytes()
                        .put(
                                changed,
                                HandshakeDescriptor.HELLO_FIXED_BYTES,
                                wire.length - HandshakeDescriptor.HELLO_FIXED_BYTES);
                assertThat(reader.check()).isEqualTo(HelloReader.State.GARBAGE);
            }
        }
    }

    @Test
    void shouldCutALongReasonBetweenTwoCharacters() throws Exception {
        String reason = read(Reply.refusing("x" + "\u00e9".repeat(1000))
                        .encode()
                        .array())
                .reason();
        assertThat(reason).isEqualTo("x" + "\u00e9".repeat(511));
    }

    @Test
    void shouldNotBeAcceptedByNobody() {
        for (byte[] wire : new byte[][] {
            Reply.accepting(0, 1, payload(0)).encode().array(),
            Reply.accepting(1, 0, payload(0)).encode().array(),
            Reply.accepting(1, -1, payload(0)).encode().array(),
            Reply.accepting(1, 1, payload(0))
                    .encode()
                    .putShort(HandshakeDescriptor.VERSION_OFFSET, (short) 1)
                    .array()
        }) {
            assertThatThrownBy(() -> read(wire))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not answer as a DXNet node");
        }
    }

    @Test
    void shouldSayWhyTwoNodesDoNotFit() {
        Hello.Misfit misfit = hello("ib", new byte[0]).misfit(own("nio"));
        assertThat(misfit.told()).isEqualTo("transport differs: it must be equal on all nodes");
        assertThat(misfit.detail()).isEqualTo("transport is nio here and ib there: it must be equal on all nodes");
        assertThat(hello("i\nb", new byte[0]).misfit(own("nio")).detail()).contains("and i?b there:");
        assertThat(hello("i\u2028\u202eb", new byte[0]).misfit(own("nio")).detail())
                .contains("and i??b there:");
        assertThat(hello("nio", payload(3)).misfit(own("nio"))).isNull();
    }

    private static Hello own(String transport) {
        return Hello.of(DXNetConfig.builder().clusterName("c").build(), transport, 2, 2, 1, 1, 0, new byte[0]);
    }
}
