package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of a shared ring, with words of the other side that are right and wrong. */
class RingTest {
    private static final int CAPACITY = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(RingLayout.bytes(CAPACITY), 4096);
    private final RingWriter writer = new RingWriter(memory, CAPACITY);
    private final RingReader reader = new RingReader(memory, CAPACITY);
    private final MemorySegment source = arena.allocate(2 * CAPACITY);
    private final MemorySegment target = arena.allocate(2 * CAPACITY);

    @AfterEach
    void free() {
        arena.close();
    }

    private void put(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }

    @Test
    void shouldCarryAStreamWhenPiecesWrapAnywhere() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte next = 0;
        byte expected = 0;
        for (int i = 0; i < 20_000; i++) {
            int bytes = random.nextInt(1, CAPACITY + 100);
            for (int at = 0; at < bytes; at++) {
                source.set(ValueLayout.JAVA_BYTE, at, (byte) (next + at));
            }
            next += (byte) writer.write(source, 0, bytes);
            int read = random.nextInt(reader.available() + 1);
            reader.read(target, read);
            for (int at = 0; at < read; at++) {
                assertThat(target.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(expected++);
            }
        }
        assertThat(reader.hasData()).isEqualTo(next != expected || reader.available() > 0);
    }

    @Test
    void shouldAcceptNoMoreThanTheCapacityWhenNothingIsRead() throws IOException {
        assertThat(writer.write(source, 0, CAPACITY - 1)).isEqualTo(CAPACITY - 1);
        assertThat(writer.write(source, 0, 100)).isEqualTo(1);
        assertThat(writer.write(source, 0, 100)).isZero();
        assertThat(writer.hasRoom()).isFalse();
        reader.skip(10);
        assertThat(writer.hasRoom()).isTrue();
        assertThat(writer.write(source, 0, 100)).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, CAPACITY + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldFailWhenTheTailIsOutOfRange(long tail) {
        put(RingLayout.TAIL_OFFSET, tail);
        assertThat(reader.hasData()).isTrue();
        assertThatThrownBy(reader::available)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tail of the shared ring is " + tail);
    }

    @Test
    void shouldFailWhenTheTailGoesBack() throws IOException {
        writer.write(source, 0, 100);
        reader.read(target, 100);
        put(RingLayout.TAIL_OFFSET, 99);
        assertThatThrownBy(reader::available)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tail of the shared ring is 99, not between 100 and 4196");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, CAPACITY + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldFailWhenTheHeadIsOutOfRange(long head) throws IOException {
        assertThat(writer.write(source, 0, CAPACITY)).isEqualTo(CAPACITY);
        put(RingLayout.HEAD_OFFSET, head);
        assertThatThrownBy(() -> writer.write(source, 0, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("head of the shared ring is " + head + ", not between 0 and 4096");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Integer.MAX_VALUE + 1L, Long.MIN_VALUE})
    void shouldFailWhenTheStepsAreOutOfRange(long steps) {
        put(RingLayout.STEPS_OFFSET, steps);
        assertThat(writer.hasFlowControl()).isTrue();
        assertThatThrownBy(writer::takeSteps)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("from 0 to " + steps);
    }

    @Test
    void shouldFailWhenThereAreUnknownSignals() {
        put(RingLayout.SIGNALS_OFFSET, 0x100);
        assertThatThrownBy(writer::takeSignals).isInstanceOf(IOException.class).hasMessageContaining("0x100");
    }

    @Test
    void shouldPassOnStepsAndSignalsOnce() throws IOException {
        reader.confirm(3);
        reader.confirm(4);
        reader.signal(1);
        reader.signal(0x80);
        assertThat(writer.hasFlowControl()).isTrue();
        assertThat(writer.takeSteps()).isEqualTo(7);
        assertThat(writer.takeSignals()).isEqualTo(0x81);
        assertThat(writer.hasFlowControl()).isFalse();
        assertThat(writer.takeSteps()).isZero();
        assertThat(writer.takeSignals()).isZero();
    }

    @Test
    void shouldWakeEachSideOnceWhenItSleeps() {
        assertThat(writer.receiverSleeps()).isFalse();
        reader.announceSleep();
        assertThat(writer.receiverSleeps()).isTrue();
        assertThat(writer.receiverSleeps()).isFalse();
        writer.announceSleep();
        writer.awake();
        assertThat(reader.senderSleeps()).isFalse();
    }
}
