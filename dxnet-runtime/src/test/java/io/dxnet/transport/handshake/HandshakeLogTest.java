package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.transport.handshake.HandshakeLog.Cause;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** How many lines strangers cause. */
class HandshakeLogTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final HandshakeLog log = new HandshakeLog(3);

    @Test
    void shouldAdmitOneLineASecondForEachCause() {
        for (long beginNs : new long[] {0, Long.MAX_VALUE - SECOND / 2}) {
            HandshakeLog log = new HandshakeLog(3);
            int lines = 0;
            for (int i = 0; i < 10_000; i++) { // ten seconds
                long nowNs = beginNs + i * SECOND / 1000;
                lines += log.admit(Cause.NOT_DXNET, nowNs) ? 1 : 0;
                long before = log.untilFlushNs(nowNs);
                log.flush(nowNs);
                lines += log.untilFlushNs(nowNs) != before ? 1 : 0;
            }
            assertThat(lines).isBetween(9, 11);
            assertThat(log.count(Cause.NOT_DXNET)).isEqualTo(10_000);
        }
    }

    @Test
    void shouldTellOfThoseWithoutALineWhenTheSecondIsOver() {
        assertThat(log.untilFlushNs(5)).isEqualTo(Long.MAX_VALUE);
        assertThat(log.admit(Cause.TOO_MANY, 5)).isTrue();
        assertThat(log.untilFlushNs(5)).isEqualTo(Long.MAX_VALUE);
        assertThat(log.admit(Cause.TOO_MANY, 6)).isFalse();
        assertThat(log.admit(Cause.HUNG_UP, 6)).as("another cause").isTrue();
        assertThat(log.untilFlushNs(6)).isEqualTo(SECOND - 1);
        log.flush(7);
        assertThat(log.untilFlushNs(7)).as("not yet").isEqualTo(SECOND - 2);
        log.flush(5 + SECOND);
        assertThat(log.untilFlushNs(5 + SECOND)).isEqualTo(Long.MAX_VALUE);
        assertThat(log.admit(Cause.TOO_MANY, 6 + SECOND))
                .as("a line was just written")
                .isFalse();
        assertThat(log.describe()).isEqualTo("3 x too many handshakes at once, 1 x hung up in the handshake");
    }

    @Test
    void shouldWriteOneBoundedLineWhateverAStrangerSent() {
        String hostile = "CN=node\n2026-01-01 WARNING all is well\u001b[2J\u202e" + "x".repeat(100_000);
        String line = log.line("/127.0.0.1:4711", "the TLS handshake failed: " + hostile);
        assertThat(line)
                .startsWith("node 3 refused a connection from /127.0.0.1:4711: the TLS handshake failed: CN=node?2026")
                .hasSizeLessThan(3000);
        assertThat(line.chars()).allMatch(c -> c >= ' ' && c != 0x7F && c != 0x202E);
    }

    @Test
    void shouldDescribeErrorsInOneBoundedLine() {
        IOException e = new SSLHandshakeException("subject CN=a\r\nb\u0000" + "y".repeat(100_000));
        assertThat(Channels.describe(e)).startsWith("subject CN=a??b?yyy").hasSizeLessThan(1000);
        assertThat(Channels.describe(new EOFException())).isEqualTo("EOFException");
    }
}
