package io.dxnet.transport.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another node sends to open an access: it comes back as it was, or is refused. */
class AccessCodecTest {
    private static final Gid GID = Gid.parseHex("fe80000000000000025056fffe123456");
    private static final AccessRequest REQUEST =
            new AccessRequest(new QpAddress(0xFF_FFFF, 0xFF_FFFE, 0xFFFF, GID), 4096, 128);
    private static final AccessReply REPLY = new AccessReply(REQUEST, 0x7FFF_1234_5000L, 1L << 40, -2);

    @Test
    void shouldComeBackAsItWas() throws DXNetException {
        assertThat(AccessRequest.decode(REQUEST.encode())).isEqualTo(REQUEST);
        assertThat(AccessReply.decode(REPLY.encode())).isEqualTo(REPLY);
        AccessReply last = new AccessReply(REQUEST, -4096, 4096, 0);
        assertThat(AccessReply.decode(last.encode()))
                .as("up to the last address")
                .isEqualTo(last);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, AccessRequest.BYTES - 1, AccessRequest.BYTES + 1, AccessReply.BYTES + 1, 4096})
    void shouldRefuseAnotherLength(int bytes) {
        assertThatThrownBy(() -> AccessRequest.decode(Arrays.copyOf(REQUEST.encode(), bytes)))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining(bytes + " bytes");
        assertThatThrownBy(() -> AccessReply.decode(Arrays.copyOf(REPLY.encode(), bytes)))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining(bytes + " bytes");
    }

    /** The highest byte of a number, or the lowest of a packet size that is none. */
    @ParameterizedTest
    @CsvSource({"3, 1", "7, 128", "10, 1", "11, 127", "12, 0", "12, 129", "15, 128"})
    void shouldRefuseImpossibleNumbers(int at, int value) {
        byte[] request = REQUEST.encode();
        request[at] = (byte) value;
        assertThatThrownBy(() -> AccessRequest.decode(request))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining("impossible");
        byte[] reply = REPLY.encode();
        reply[at] = (byte) value;
        assertThatThrownBy(() -> AccessReply.decode(reply))
                .isInstanceOf(DXNetException.class)
                .hasMessageContaining("impossible");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, -1", "-4096, 4097", "1, 9223372036854775807", "-1, 2"})
    void shouldRefuseMemoryThatCannotBe(long base, long length) throws DXNetException {
        byte[] bytes = new AccessReply(REQUEST, base, length, 1).encode();
        if (base == 1) {
            assertThat(AccessReply.decode(bytes).length()).isEqualTo(length);
        } else {
            assertThatThrownBy(() -> AccessReply.decode(bytes)).isInstanceOf(DXNetException.class);
        }
    }

    @Test
    void shouldRefuseWhatHasNoAddress() {
        AccessRequest nowhere = new AccessRequest(new QpAddress(1, 1, 0, Gid.of(new byte[16])), 1024, 16);
        assertThatThrownBy(() -> AccessRequest.decode(nowhere.encode())).isInstanceOf(DXNetException.class);
    }

    @Test
    void shouldRefuseOrDecodeWhateverComes() {
        Random random = new Random(17);
        for (int i = 0; i < 200_000; i++) {
            boolean isMutant = random.nextBoolean();
            byte[] request = isMutant ? REQUEST.encode() : new byte[AccessRequest.BYTES];
            byte[] reply = isMutant ? REPLY.encode() : new byte[AccessReply.BYTES];
            change(random, request, isMutant);
            change(random, reply, isMutant);
            try {
                AccessRequest decoded = AccessRequest.decode(request);
                assertThat(decoded.reads()).isBetween(1, 128);
                assertThat(decoded.encode()).isEqualTo(request);
            } catch (DXNetException e) {
                assertThat(e).hasMessageContaining("impossible");
            }
            try {
                AccessReply decoded = AccessReply.decode(reply);
                assertThat(decoded.length()).isPositive();
                assertThat(decoded.encode()).isEqualTo(reply);
            } catch (DXNetException e) {
                assertThat(e).hasMessageContaining("impossible");
            }
        }
    }

    private static void change(Random random, byte[] bytes, boolean isMutant) {
        if (!isMutant) {
            random.nextBytes(bytes);
            return;
        }
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }
}
