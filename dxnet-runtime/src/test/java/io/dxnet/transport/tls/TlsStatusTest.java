package io.dxnet.transport.tls;

import static io.dxnet.transport.tls.ScriptedEngine.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each status of an engine: none makes a channel spin, or drop what has to be sent. */
@Timeout(30)
class TlsStatusTest {
    private final ScriptedEngine engine = new ScriptedEngine(session());
    private final MemoryLink link = new MemoryLink();
    private final TlsChannel channel = new TlsChannel(link.near(), engine);

    private static SSLSession session() {
        try {
            return SSLContext.getDefault().createSSLEngine().getSession();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"BUFFER_OVERFLOW", "BUFFER_UNDERFLOW", "CLOSED"})
    void shouldFailAHandshakeWhoseNextRecordCannotBeMade(Status status) {
        engine.status = HandshakeStatus.NEED_WRAP;
        engine.wraps.add(result(status, HandshakeStatus.NEED_WRAP, 0, 0));
        assertThatThrownBy(channel::handshake).isInstanceOf(IOException.class);
    }

    @Test
    void shouldFailAHandshakeWhoseEngineMakesNoRecord() {
        engine.status = HandshakeStatus.NEED_WRAP;
        engine.wraps.add(result(Status.OK, HandshakeStatus.NEED_WRAP, 0, 0));
        assertThatThrownBy(channel::handshake).hasMessageContaining("makes none");
    }

    @Test
    void shouldSendTheLastRecordOfAHandshakeThatTheEngineEnds() {
        engine.status = HandshakeStatus.NEED_WRAP;
        engine.wraps.add(result(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 7));
        assertThatThrownBy(channel::handshake).hasMessageContaining("ended before it was done");
        assertThat(link.there.waiting()).isEqualTo(7);
    }

    @Test
    void shouldFailAHandshakeWithContent() {
        engine.status = HandshakeStatus.NEED_UNWRAP;
        engine.unwraps.add(result(Status.BUFFER_OVERFLOW, HandshakeStatus.NEED_UNWRAP, 0, 0));
        assertThatThrownBy(channel::handshake).hasMessageContaining("before the TLS handshake was done");
    }

    @Test
    void shouldFailAHandshakeThatTheOtherNodeEnds() {
        engine.status = HandshakeStatus.NEED_UNWRAP;
        engine.unwraps.add(result(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0));
        assertThatThrownBy(channel::handshake).hasMessageContaining("ended the TLS handshake");
    }

    @Test
    void shouldReportAnEndThatIsNotSent() {
        engine.wraps.add(result(Status.OK, HandshakeStatus.NOT_HANDSHAKING, 0, 0));
        assertThatThrownBy(channel::endOutput).hasMessageContaining("close_notify");
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"BUFFER_OVERFLOW", "BUFFER_UNDERFLOW"})
    void shouldReportAnEndThatCannotBeMade(Status status) {
        engine.wraps.add(result(status, HandshakeStatus.NOT_HANDSHAKING, 0, 0));
        assertThatThrownBy(channel::endOutput).hasMessageContaining(status.name());
    }

    @Test
    void shouldSendWhatComesBeforeTheEnd() throws IOException {
        engine.wraps.add(result(Status.OK, HandshakeStatus.NEED_WRAP, 0, 5)); // an answer to a change of keys
        engine.wraps.add(result(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 7));
        engine.wraps.add(result(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0));
        assertThat(channel.endOutput()).isTrue();
        assertThat(link.there.waiting()).isEqualTo(12);
    }

    @Test
    void shouldFailToWriteWhereTheEngineAcceptsNothing() {
        engine.wraps.add(result(Status.OK, HandshakeStatus.NEED_UNWRAP, 0, 0));
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(10))).hasMessageContaining("accepts no content");
    }

    @Test
    void shouldWriteOnceTheReadingThreadHasRunTheTasks() throws IOException {
        engine.wraps.add(result(Status.OK, HandshakeStatus.NEED_TASK, 0, 0));
        engine.wraps.add(result(Status.OK, HandshakeStatus.NEED_TASK, 0, 0));
        engine.wraps.add(result(Status.OK, HandshakeStatus.NOT_HANDSHAKING, 10, 30));
        assertThat(channel.write(ByteBuffer.allocate(10))).isEqualTo(10);
        assertThat(link.there.waiting()).isEqualTo(30);
    }
}
