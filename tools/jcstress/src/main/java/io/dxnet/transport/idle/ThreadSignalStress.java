package io.dxnet.transport.idle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The signal: no thread parks while it has work, and none is woken up twice from one park. A thread
 * that parks by {@code LockSupport}, and one that parks in a place of its own.
 */
public final class ThreadSignalStress {
    private static final long PARK_NS = 10_000_000_000L;

    private ThreadSignalStress() {}

    // ---------------------------------------------------------------- by LockSupport

    /** Work, and a park that ends with a signal or after its whole time. */
    private static class Parked {
        volatile int work;
        int seen; // the parking thread
        final ThreadSignal signal = new ThreadSignal(() -> work > seen);

        /** {@return 1 where the parks took the whole time, else 0} */
        int parkUntil(int wanted) {
            long startNs = System.nanoTime();
            while (seen < wanted) {
                signal.park(PARK_NS);
                seen = work;
            }
            return System.nanoTime() - startNs < PARK_NS ? 0 : 1;
        }
    }

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The thread saw the work before it parked, or was woken up.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "The wake-up was lost: the park lasted as long as it was allowed to.")
    @State
    public static class NoThreadParksOverWork extends Parked {
        @Actor
        public void parker(I_Result r) {
            r.r1 = parkUntil(1);
        }

        @Actor
        public void poster() {
            work = 1;
            signal.raise();
        }
    }

    /** Two at once, as the receiving thread and a handler signal. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The thread saw both pieces of work, without a park of full length.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "A wake-up was lost.")
    @State
    public static class TwoSignalsLeaveNoThreadParked extends Parked {
        @Actor
        public void parker(I_Result r) {
            r.r1 = parkUntil(2);
        }

        @Actor
        public void poster() {
            work = 1;
            signal.raise();
            work = 2;
            signal.raise();
        }
    }

    /** Work that is published by less than a volatile write: a fence comes before the signal. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The thread saw the work before it parked, or was woken up.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "The wake-up was lost.")
    @State
    public static class AFenceReplacesAVolatileWrite {
        private static final VarHandle WORK;

        static {
            try {
                WORK = MethodHandles.lookup().findVarHandle(AFenceReplacesAVolatileWrite.class, "work", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private boolean work;
        private final ThreadSignal signal = new ThreadSignal(() -> (boolean) WORK.getVolatile(this));

        @Actor
        public void parker(I_Result r) {
            long startNs = System.nanoTime();
            signal.park(PARK_NS);
            r.r1 = System.nanoTime() - startNs < PARK_NS ? 0 : 1;
        }

        @Actor
        public void poster() {
            WORK.setRelease(this, true);
            VarHandle.fullFence();
            signal.raise();
        }
    }

    /** A wake-up without work does not wait for a park: the next one is over at once. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The notification came first, or ended the park.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "The notification was lost.")
    @State
    public static class AWakeUpWithoutWorkIsKept {
        private final ThreadSignal signal = new ThreadSignal(() -> false);

        @Actor
        public void parker(I_Result r) {
            long startNs = System.nanoTime();
            signal.park(PARK_NS);
            r.r1 = System.nanoTime() - startNs < PARK_NS ? 0 : 1;
        }

        @Actor
        public void waker() {
            signal.wakeup();
        }
    }

    // ---------------------------------------------------------------- in a place

    /** Work, and a place whose park ends with a wake-up or after its whole time. */
    private static class InPlace implements ParkingPlace {
        volatile int work;
        boolean whole;
        final AtomicInteger wakeUps = new AtomicInteger();
        final ThreadSignal signal = new ThreadSignal(() -> work > 0, this, 0);
        private final Semaphore end = new Semaphore(0);

        /** Whether a park lasted its whole time, and how many wake-ups there were. */
        void report(II_Result r) {
            r.r1 = whole ? 1 : 0;
            r.r2 = wakeUps.get();
        }

        @Override
        public boolean mayPark() {
            return work == 0;
        }

        @Override
        public void park(long timeoutNs) {
            try {
                whole |= !end.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void unpark() {
            wakeUps.incrementAndGet();
            end.release();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The thread saw the work before it parked.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up, parked or about to.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "It parked over the work.")
    @State
    public static class NoThreadParksOverWorkInItsPlace extends InPlace {
        @Actor
        public void parker() {
            signal.park(PARK_NS);
        }

        @Actor
        public void poster() {
            work = 1;
            signal.raise();
        }

        @Arbiter
        public void result(II_Result r) {
            report(r);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The thread saw the work before it parked.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up once, parked or about to.")
    @Outcome(id = "0, 2", expect = FORBIDDEN, desc = "It was woken up twice from one park.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "It parked over the work.")
    @State
    public static class OneWakeUpForOnePark extends InPlace {
        @Actor
        public void parker() {
            signal.park(PARK_NS);
        }

        @Actor
        public void poster() {
            work = 1;
            signal.raise();
            work = 2;
            signal.raise();
        }

        @Arbiter
        public void result(II_Result r) {
            report(r);
        }
    }

    /** A wake-up without work does not wait for a park: the next one is over at once. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The notification came first.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up, parked or about to.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The notification was lost.")
    @State
    public static class AWakeUpWithoutWorkIsKeptForThePlace extends InPlace {
        @Actor
        public void parker() {
            signal.park(PARK_NS);
        }

        @Actor
        public void waker() {
            signal.wakeup();
        }

        @Arbiter
        public void result(II_Result r) {
            report(r);
        }
    }
}
