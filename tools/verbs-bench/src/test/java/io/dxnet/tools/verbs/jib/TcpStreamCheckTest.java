package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpStreamCheckTest {
    private static final int SIZE = 10;
    private static final int MESSAGES = 20;
    private static final long SEED = 3;

    /** The stream cut into pieces, with one byte changed; -1: none. */
    @ParameterizedTest
    @CsvSource({"1, -1, 0", "7, -1, 0", "10, -1, 0", "64, -1, 0", "1, 0, 1", "7, 99, 1", "64, 199, 1"})
    void shouldFindAWrongByteWhereverTheStreamIsCut(int piece, int wrongAt, int corrupt) {
        byte[] stream = new byte[SIZE * MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            Payload.fill(MemorySegment.ofArray(stream), (long) i * SIZE, SIZE, SEED, i);
        }
        if (wrongAt >= 0) {
            stream[wrongAt] ^= 1;
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        TcpStreamCheck check = new TcpStreamCheck(buffer, SIZE);
        check.begin(new RunSpec(new Case(Pattern.UNI, Transfer.TCP, SIZE), MESSAGES, SEED, true));
        for (int at = 0; at < stream.length; at += piece) {
            int length = Math.min(piece, stream.length - at);
            buffer.clear().put(stream, at, length);
            check.arrived(length);
        }
        assertThat(check.checked()).isEqualTo(MESSAGES);
        assertThat(check.corrupt()).isEqualTo(corrupt);
    }
}
