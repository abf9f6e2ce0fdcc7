package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QpInfoTest {
    private static final Gid GID = Gid.parseHex("fe80000000000000025056fffe123456");
    private static final QpInfo GOOD =
            new QpInfo(new QpAddress(0xFF_FFFF, 0xFF_FFFE, 0xFFFF, GID), 4096, 1 << 20, 5000);
    private static final QpInfo KEYED = new QpInfo(GOOD.address(), 4096, 1 << 20, 5000, KeyPart.random());

    @Test
    void shouldComeBackAsItWas() throws IOException {
        assertThat(QpInfo.decode(GOOD.encode())).isEqualTo(GOOD);
        QpInfo least = new QpInfo(new QpAddress(0, 0, 1, Gid.of(new byte[16])), 256, 1, 1);
        assertThat(QpInfo.decode(least.encode())).isEqualTo(least);
        assertThat(QpInfo.decode(KEYED.encode())).isEqualTo(KEYED).isNotEqualTo(GOOD);
        assertThat(QpInfo.decode(KEYED.encode()).encode()).isEqualTo(KEYED.encode());
    }

    @Test
    void shouldShowNothingOfThePartOfTheKey() {
        assertThat(KEYED.toString()).endsWith("keyPart=KeyPart]");
        assertThat(KeyPart.random()).isNotEqualTo(KeyPart.random()).hasSameHashCodeAs(KeyPart.random());
    }

    @Test
    void shouldRefuseReceivesThatHoldATagAndNothingElse() {
        QpInfo least = new QpInfo(GOOD.address(), 4096, GcmDirection.TAG_BYTES, 5000, KeyPart.random());
        assertThatThrownBy(() -> QpInfo.decode(least.encode())).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, QpInfo.BYTES - 1, QpInfo.BYTES + 1, QpInfo.KEYED_BYTES - 1, 1024})
    void shouldRefuseAnotherLength(int bytes) {
        assertThatThrownBy(() -> QpInfo.decode(Arrays.copyOf(GOOD.encode(), bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(bytes + " bytes");
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "7, 128", "15, 128", "35, 128"}) // the highest byte of a number: too large, or negative
    void shouldRefuseImpossibleNumbers(int at, int value) {
        byte[] bytes = GOOD.encode();
        bytes[at] = (byte) value;
        assertThatThrownBy(() -> QpInfo.decode(bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("impossible");
    }

    @ParameterizedTest
    @CsvSource({"12, 4", "32, 4"})
    void shouldRefuseZero(int from, int length) {
        byte[] bytes = GOOD.encode();
        Arrays.fill(bytes, from, from + length, (byte) 0);
        assertThatThrownBy(() -> QpInfo.decode(bytes)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseWhatHasNoAddress() {
        QpInfo nowhere = new QpInfo(new QpAddress(1, 1, 0, Gid.of(new byte[16])), 4096, 1, 1);
        assertThatThrownBy(() -> QpInfo.decode(nowhere.encode())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseOrDecodeWhateverComes() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[QpInfo.BYTES];
            random.nextBytes(bytes);
            try {
                QpInfo info = QpInfo.decode(bytes);
                assertThat(info.receiveBytesMax()).isPositive();
                assertThat(info.keepAliveMs()).isPositive();
                assertThat(info.address().qpNumber()).isBetween(0, 0xFF_FFFF);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("impossible");
            }
        }
    }
}
