package io.dxnet.transport.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The words that two processes share: what is published is whole, and no side sleeps over what the
 * other has written without a wake-up.
 */
public final class SharedRingStress {
    private static final int CAPACITY = RingLayout.CAPACITY_MIN;
    private static final int BYTES = 24;

    private SharedRingStress() {}

    /** A ring in an array: there are many. */
    private static class Ring {
        final MemorySegment memory = MemorySegment.ofArray(new long[(int) (RingLayout.bytes(CAPACITY) / Long.BYTES)]);
        final RingWriter writer = new RingWriter(memory, CAPACITY);
        final RingReader reader = new RingReader(memory, CAPACITY);
        final MemorySegment source = MemorySegment.ofArray(new byte[BYTES]).fill((byte) 1);

        int write(int bytes) {
            try {
                return writer.write(source, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int signals() {
            try {
                return writer.takeSignals();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int available() {
            try {
                return reader.available();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The receiver's agent on its way to sleep, and a sender. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The receiver saw the data, and the sender no sleeper.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The receiver sleeps, and is woken up.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The receiver saw the data, and is woken up in vain.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The receiver sleeps over the data.")
    @State
    public static class NoReceiverSleepsOverData extends Ring {
        @Actor
        public void receiver(II_Result r) {
            reader.announceSleep();
            r.r1 = reader.hasData() ? 1 : 0;
        }

        @Actor
        public void sender(II_Result r) {
            write(BYTES);
            r.r2 = writer.receiverSleeps() ? 1 : 0;
        }
    }

    /** The sender's agent on its way to sleep with a full ring, and a receiver. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The sender saw the room, and the receiver no sleeper.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The sender sleeps, and is woken up.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The sender saw the room, and is woken up in vain.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The sender sleeps over the room.")
    @State
    public static class NoSenderSleepsOverRoom extends Ring {
        public NoSenderSleepsOverRoom() {
            while (write(BYTES) > 0) {
                // until it is full
            }
        }

        @Actor
        public void sender(II_Result r) {
            writer.announceSleep();
            r.r1 = writer.hasRoom() ? 1 : 0;
        }

        @Actor
        public void receiver(II_Result r) {
            reader.skip(BYTES);
            r.r2 = reader.senderSleeps() ? 1 : 0;
        }
    }

    /** The sender's agent on its way to sleep, and a receiver that confirms. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The sender saw the steps, and the receiver no sleeper.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The sender sleeps, and is woken up.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The sender saw the steps, and is woken up in vain.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The sender sleeps over the steps.")
    @State
    public static class NoSenderSleepsOverSteps extends Ring {
        @Actor
        public void sender(II_Result r) {
            writer.announceSleep();
            r.r1 = writer.hasFlowControl() ? 1 : 0;
        }

        @Actor
        public void receiver(II_Result r) {
            reader.confirm(1);
            r.r2 = reader.senderSleeps() ? 1 : 0;
        }
    }

    /** What the tail covers is there; signals are lost by neither side. */
    @JCStressTest
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "Nothing was published yet.")
    @Outcome(id = "24, 3", expect = ACCEPTABLE, desc = "All of it was, whole.")
    @Outcome(expect = FORBIDDEN, desc = "A part was read that was not written, or a signal was lost.")
    @State
    public static class PublishedIsWhole extends Ring {
        private int read;
        private int seen;

        @Actor
        public void sender() {
            write(BYTES);
            seen |= signals();
        }

        @Actor
        public void receiver() {
            reader.signal(1);
            int bytes = available();
            if (bytes > 0) {
                MemorySegment target = MemorySegment.ofArray(new byte[BYTES]);
                reader.read(target, bytes);
                for (int i = 0; i < bytes; i++) {
                    read += target.get(ValueLayout.JAVA_BYTE, i);
                }
            }
            reader.signal(2);
        }

        @Arbiter
        public void result(II_Result r) {
            r.r1 = read;
            r.r2 = seen | signals();
        }
    }
}
