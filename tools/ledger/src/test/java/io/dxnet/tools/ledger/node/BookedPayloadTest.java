package io.dxnet.tools.ledger.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Exporter;
import io.dxnet.Message;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Stream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver sees each byte that is not as it was sent. */
class BookedPayloadTest {
    private static final long WORD = Stream.word(Kind.ORDERED, 3, 2, 77);

    private final BlockingQueue<DataMessage> received = new LinkedBlockingQueue<>();
    private DXNet net;

    @BeforeEach
    void start() {
        net = new DXNet(
                DXNetConfig.builder()
                        .transport("loopback")
                        .clusterName("payload-test")
                        .build(),
                new NodeMap(0).put(0, "127.0.0.1:1"));
        net.registerMessageType(
                Types.DATA, Kind.ORDERED.ordinal(), () -> new DataMessage(Kind.ORDERED), MessageTypeOption.EXCLUSIVE);
        net.register(Types.DATA, Kind.ORDERED.ordinal(), (DataMessage message) -> received.add(message));
    }

    @AfterEach
    void stop() {
        net.close();
    }

    private Payload send(Message message) throws Exception {
        net.sendMessage(message);
        DataMessage arrived = received.poll(30, TimeUnit.SECONDS);
        assertThat(arrived).isNotNull();
        return arrived.payload;
    }

    @ParameterizedTest
    @ValueSource(ints = {Payload.BYTES_MIN, Payload.BYTES_MIN + 1, 216, 60_000, 300_000, Payload.BYTES_MAX})
    void shouldBeIntactAtItsReceiver(int bytes) throws Exception {
        Payload payload = send(new DataMessage(Kind.ORDERED, 0, WORD, bytes));
        assertThat(payload.isIntactAt(0)).isTrue();
        assertThat(payload.word()).isEqualTo(WORD);
        assertThat(payload.bytes()).isEqualTo(bytes);
        assertThat(payload.isIntactAt(1)).as("at another node").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {Payload.BYTES_MIN + 1, 216, 70_000})
    void shouldSeeTheLastByteChanged(int bytes) throws Exception {
        assertThat(send(new Changed(bytes, 0)).isIntactAt(0)).isFalse();
    }

    @Test
    void shouldSeeAByteMore() throws Exception {
        assertThat(send(new Changed(100, 1)).isIntactAt(0)).isFalse();
    }

    /** Its last byte is another, or there is one more. */
    private static final class Changed extends Message {
        private final int bytes;
        private final int more;

        Changed(int bytes, int more) {
            super(0, Types.DATA, Kind.ORDERED.ordinal());
            this.bytes = bytes;
            this.more = more;
        }

        @Override
        public int sizeOfObject() {
            return bytes + more;
        }

        @Override
        public void exportObject(Exporter exporter) {
            byte[] content = new byte[bytes - Payload.BYTES_MIN + more];
            byte[] right = Payload.content(WORD, bytes);
            System.arraycopy(right, 0, content, 0, right.length);
            content[content.length - 1] ^= (byte) (more == 0 ? 1 : 0);
            exporter.writeLong(WORD);
            exporter.writeInt(bytes);
            exporter.writeInt(0);
            exporter.writeBytes(content);
        }
    }
}
