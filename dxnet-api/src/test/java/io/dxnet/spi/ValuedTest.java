package io.dxnet.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.Codec;
import io.dxnet.MessageTooLargeException;
import org.junit.jupiter.api.Test;

class ValuedTest {
    record Quotient(int a, int b) {
        public int a() {
            return a / b;
        }
    }

    private static final Codec<Quotient> DERIVED = Codec.of(Quotient.class);

    /** A codec by hand, of values of any size. */
    private static Codec<Integer> sized(int bytes) {
        return new Codec<>() {
            @Override
            public void write(Integer value, io.dxnet.Exporter to) {
                throw new AssertionError();
            }

            @Override
            public Integer read(io.dxnet.Importer from) {
                throw new AssertionError();
            }

            @Override
            public int size(Integer value) {
                return Math.addExact(bytes, value);
            }
        };
    }

    @Test
    void shouldAddTheMark() {
        assertThat(Valued.size(DERIVED, new Quotient(6, 3))).isEqualTo(Valued.MARK_BYTES + 2 * Integer.BYTES);
    }

    @Test
    void shouldRefuseWhatNoIntCounts() {
        for (int more : new int[] {0, 1}) {
            assertThatThrownBy(() -> Valued.size(sized(Integer.MAX_VALUE), more))
                    .isInstanceOf(MessageTooLargeException.class)
                    .hasMessageContaining("2 GiB or more")
                    .hasCauseInstanceOf(ArithmeticException.class);
        }
    }

    /** Of an accessor: it is not the size that is wrong. */
    @Test
    void shouldPassOnOtherErrorsOfArithmetic() {
        assertThatThrownBy(() -> Valued.size(sizedByAccessor(), new Quotient(1, 0)))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("/ by zero");
    }

    private static Codec<Quotient> sizedByAccessor() {
        return new Codec<>() {
            @Override
            public void write(Quotient value, io.dxnet.Exporter to) {
                to.writeInt(value.a());
            }

            @Override
            public Quotient read(io.dxnet.Importer from) {
                return new Quotient(from.readInt(), 1);
            }

            @Override
            public int size(Quotient value) {
                return value.a();
            }
        };
    }
}
