package io.dxnet.softhca;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An acknowledgement that comes while another thread holds the requester lock. */
public final class LateAckStress {
    private LateAckStress() {}

    @JCStressTest
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "One of the two threads processed it, and the lock is free.")
    @Outcome(expect = FORBIDDEN, desc = "It was left for good, or processed twice, or the lock stays held.")
    @State
    public static class OneOfBothProcessesIt {
        private final LateAck late = new LateAck();
        private final SpinLock lock = new SpinLock();
        private int acknowledged; // the holder of the lock

        public OneOfBothProcessesIt() {
            lock.lock();
        }

        private void acknowledge(long ack) {
            acknowledged += LateAck.psn(ack);
        }

        @Actor
        public void poster() {
            lock.unlock();
            late.process(lock, this::acknowledge);
        }

        @Actor
        public void receiver() {
            late.leave(1, 7);
            late.process(lock, this::acknowledge);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = acknowledged;
            r.r2 = lock.tryLock() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"8, 0", "15, 0"},
            expect = ACCEPTABLE,
            desc = "The newer one was processed, after the older one or alone.")
    @Outcome(expect = FORBIDDEN, desc = "The newer one was lost, or one was processed twice.")
    @State
    public static class TheNewerOneIsNotLost {
        private final LateAck late = new LateAck();
        private final SpinLock lock = new SpinLock();
        private int acknowledged; // the holder of the lock

        public TheNewerOneIsNotLost() {
            late.leave(1, 7);
        }

        private void acknowledge(long ack) {
            acknowledged += LateAck.psn(ack);
        }

        @Actor
        public void poster() {
            lock.lock();
            late.remove(this::acknowledge);
            lock.unlock();
            late.process(lock, this::acknowledge);
        }

        @Actor
        public void receiver() {
            late.leave(1, 8);
            late.process(lock, this::acknowledge);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = acknowledged;
        }
    }
}
