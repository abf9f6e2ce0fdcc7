package io.dxnet.transport.connection;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The send lock: one holder, nothing published stays behind, and exactly one thread is the last one
 * to use the ring.
 */
public final class SendLockStress {
    private SendLockStress() {}

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One thread holds the lock.")
    @Outcome(expect = FORBIDDEN, desc = "Two threads hold it, or none.")
    @State
    public static class OneThreadHolds {
        private final SendLock lock = new SendLock();

        @Actor
        public void first(II_Result r) {
            r.r1 = lock.tryAcquire() ? 1 : 0;
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = lock.tryAcquire() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "Both held it, one after the other; nothing of the first is lost.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "One did not acquire it.")
    @Outcome(expect = FORBIDDEN, desc = "A holder did not see what the one before it wrote.")
    @State
    public static class AHolderSeesWhatTheOneBeforeItWrote {
        private final SendLock lock = new SendLock();
        private int posted; // the holder
        private boolean first;
        private boolean second;

        private boolean post() {
            boolean acquired = lock.tryAcquire();
            if (acquired) {
                posted++;
                lock.release();
            }
            return acquired;
        }

        @Actor
        public void sender1() {
            first = post();
        }

        @Actor
        public void sender2() {
            second = post();
        }

        @Arbiter
        public void after(I_Result r) {
            int acquired = (first ? 1 : 0) + (second ? 1 : 0);
            r.r1 = posted == acquired ? acquired : -1;
        }
    }

    /** For data that is written by a volatile store, as signals and confirmed steps are. */
    @JCStressTest
    @Outcome(
            id = "0, 1",
            expect = ACCEPTABLE,
            desc = "The thread that published was refused; the holder sees the data.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The thread that published acquired the lock.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It acquired the lock, and the last holder sees the data too.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Neither sends the data: it stays in the ring.")
    @State
    public static class NothingPublishedStaysBehind {
        private final SendLock lock = new SendLock();
        private volatile int published;

        public NothingPublishedStaysBehind() {
            lock.tryAcquire();
        }

        @Actor
        public void producer(II_Result r) {
            published = 1;
            r.r1 = lock.tryAcquire() ? 1 : 0;
        }

        @Actor
        public void holder(II_Result r) {
            lock.release();
            r.r2 = published;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 1, 1", "0, 1, 2"},
            expect = ACCEPTABLE,
            desc = "The sealing thread is the last one, and sees what a holder before it has written.")
    @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "The holder is the last one.")
    @Outcome(expect = FORBIDDEN, desc = "Both are the last one, or neither; or the ring was used after the last one.")
    @State
    public static class OneIsTheLast {
        private final SendLock lock = new SendLock();
        private int ring = 1; // the holder; then the last one reads it
        private int seen;

        @Actor
        public void sender(III_Result r) {
            if (lock.tryAcquire()) {
                ring = 2;
                if (lock.release()) {
                    r.r1 = 1;
                    seen = ring;
                }
            }
        }

        @Actor
        public void sealer(III_Result r) {
            if (lock.seal()) {
                r.r2 = 1;
                seen = ring;
            }
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = seen == ring ? seen : -1;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One of two sealing threads reports the end.")
    @Outcome(expect = FORBIDDEN, desc = "Both report it, or neither.")
    @State
    public static class OneSealReports {
        private final SendLock lock = new SendLock();

        @Actor
        public void first(II_Result r) {
            r.r1 = lock.seal() ? 1 : 0;
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = lock.seal() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "The holder had written before the wait ended.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was sealed before.")
    @Outcome(expect = FORBIDDEN, desc = "The ring's memory was freed under a holder.")
    @State
    public static class TheWaitEndsAfterTheHolder {
        private final SendLock lock = new SendLock();
        private int ring = 1; // the holder

        @Actor
        public void sender(II_Result r) {
            if (lock.tryAcquire()) {
                r.r1 = 1;
                ring = 2;
                lock.release();
            }
        }

        @Actor
        public void sealer(II_Result r) {
            lock.seal();
            lock.awaitRelease();
            r.r2 = ring;
        }
    }
}
