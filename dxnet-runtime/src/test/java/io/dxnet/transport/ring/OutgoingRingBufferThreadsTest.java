package io.dxnet.transport.ring;

import static io.dxnet.transport.ring.OutgoingRingBuffer.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The ring by many threads. Each producer writes records of random sizes with its
 * number, a sequence and a pattern; the consumer checks every byte of the stream,
 * and the order of each producer's records.
 *
 * <pre>
 *   record: bytes 4 B | producer 4 B | sequence 4 B | (sequence + i) as a byte, for each further byte i
 * </pre>
 */
@Timeout(120)
class OutgoingRingBufferThreadsTest {
    private static final int HEADER = 12;
    private static final int RECORDS = 60_000;
    private static final int STREAM_EVERY = 97;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @ParameterizedTest(name = "{0} producers, ring {1} B, CUB {2}, window {3} B, start {4}, streams {5}")
    @CsvSource({
        "1, 4096, 16, 1099511627776, 0, false",
        "2, 256, 16, 1099511627776, 0, false",
        "2, 65536, 16, 1099511627776, 0, false",
        "4, 4096, 16, 1000, 0, false",
        "4, 4096, 1024, 1099511627776, 281474976700000, false",
        "8, 4096, 16, 1099511627776, 281474976700000, false",
        "8, 65536, 8192, 4096, 0, false",
        "3, 1024, 16, 1099511627776, 281474976700000, true",
        "4, 4096, 64, 1000, 281474976700000, true",
        "32, 16384, 64, 1099511627776, 0, true",
    })
    void shouldKeepEveryByteInTheOrderOfClaims(
            int producers, int capacity, int entries, long window, long start, boolean streams) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            OutgoingRingBuffer ring = new OutgoingRingBuffer(arena.allocate(capacity), entries, window, start);
            int perProducer = RECORDS / producers;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                Producer producer = new Producer(ring, i, perProducer, streams);
                threads.add(Thread.ofPlatform().daemon().start(() -> guarded(producer::run)));
            }
            Consumer consumer = new Consumer(ring, producers, window < capacity);
            guarded(() -> consumer.run((long) producers * perProducer));
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            assertThat(consumer.sequences).containsOnly(perProducer);
            assertThat(ring.readable()).isZero();
            assertThat(ring.isDrained()).isTrue();
            assertThat(ring.committedPosition()).isEqualTo(ring.postedPosition());
            ring.close();
            assertThat(ring.isQuiescent()).isTrue();
        }
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Lets others run; true as long as no thread has failed. */
    private void idle(int tries) {
        if (failure.get() != null) {
            throw new IllegalStateException("another thread failed", failure.get());
        }
        if (tries > 50) {
            LockSupport.parkNanos(10_000);
        } else {
            Thread.onSpinWait();
        }
    }

    private final class Producer {
        private final OutgoingRingBuffer ring;
        private final int number;
        private final int records;
        private final boolean streams;
        private final Random random;

        Producer(OutgoingRingBuffer ring, int number, int records, boolean streams) {
            this.ring = ring;
            this.number = number;
            this.records = records;
            this.streams = streams;
            this.random = new Random(number);
        }

        void run() {
            int bytesMax = Math.min(200, ring.capacity() / 2);
            for (int sequence = 0; sequence < records; sequence++) {
                if (streams && sequence % STREAM_EVERY == STREAM_EVERY - 1) {
                    stream(sequence, ring.capacity() * 2 + random.nextInt(1000));
                } else {
                    send(sequence, HEADER + random.nextInt(bytesMax - HEADER + 1));
                }
            }
        }

        private void send(int sequence, int bytes) {
            long claim = ring.tryClaim(bytes, Window.OBSERVED);
            for (int tries = 0; claim < 0; tries++) {
                idle(claim == FULL ? tries : 100);
                claim = ring.tryClaim(bytes, Window.OBSERVED);
            }
            fill(claim, sequence, bytes, 0, bytes);
            ring.commit(claim, bytes);
        }

        /** A record larger than the ring. */
        private void stream(int sequence, int bytes) {
            while (!ring.tryLock()) {
                idle(100);
            }
            int done = 0;
            for (int tries = 0; done < bytes; tries++) {
                int part = ring.tryClaimLocked(bytes - done, Window.OBSERVED);
                if (part > 0) {
                    fill(ring.lockedClaim(), sequence, bytes, done, part);
                    ring.commit(ring.lockedClaim(), part);
                    done += part;
                    tries = 0;
                } else {
                    idle(tries);
                }
            }
            ring.unlock();
        }

        private void fill(long claim, int sequence, int bytes, int from, int count) {
            MemorySegment memory = ring.segment();
            for (int i = from; i < from + count; i++) {
                memory.set(BYTE, ring.offset(claim + i - from), expected(number, sequence, bytes, i));
            }
        }
    }

    private static byte expected(int producer, int sequence, int bytes, int i) {
        if (i >= HEADER) {
            return (byte) (sequence + i);
        }
        int word = i < 4 ? bytes : i < 8 ? producer : sequence;
        return (byte) (word >>> (i % 4 * Byte.SIZE));
    }

    private final class Consumer {
        private final OutgoingRingBuffer ring;
        private final int[] sequences;
        private final boolean opensWindow;
        private final int[] header = new int[3];
        private int at; // bytes of the current record that were read
        private long records;

        Consumer(OutgoingRingBuffer ring, int producers, boolean opensWindow) {
            this.ring = ring;
            this.sequences = new int[producers];
            this.opensWindow = opensWindow;
        }

        void run(long expectedRecords) {
            Random random = new Random(4711);
            for (int tries = 0; records < expectedRecords; tries++) {
                int piece = ring.readableContiguous();
                if (piece == 0) {
                    idle(tries);
                    continue;
                }
                tries = 0;
                int bytes = 1 + random.nextInt(piece);
                int offset = ring.offset(ring.postedPosition());
                for (int i = 0; i < bytes; i++) {
                    read(ring.segment().get(BYTE, offset + i));
                }
                // A thread that writes too early is seen: what is not confirmed must
                // not change, what is free may.
                ring.post(bytes);
                ring.segment().asSlice(offset, bytes).fill((byte) 0xEE);
                ring.confirm(bytes);
                if (opensWindow) {
                    ring.extendWindow(bytes);
                }
            }
        }

        private void read(byte value) {
            if (at < HEADER) {
                int word = at / 4;
                header[word] = (at % 4 == 0 ? 0 : header[word]) | (value & 0xFF) << (at % 4 * Byte.SIZE);
            } else if (value != expected(header[1], header[2], header[0], at)) {
                throw new AssertionError("producer " + header[1] + ", record " + header[2] + ", byte " + at + " of "
                        + header[0] + " is " + value);
            }
            at++;
            if (at == HEADER) {
                startRecord();
            }
            if (at >= HEADER && at == header[0]) {
                at = 0;
                records++;
            }
        }

        private void startRecord() {
            int producer = header[1];
            if (header[0] < HEADER || producer < 0 || producer >= sequences.length) {
                throw new AssertionError("garbage where a record begins: " + java.util.Arrays.toString(header));
            }
            if (header[2] != sequences[producer]) {
                throw new AssertionError(
                        "producer " + producer + ": record " + header[2] + " instead of " + sequences[producer]);
            }
            sequences[producer]++;
        }
    }
}
