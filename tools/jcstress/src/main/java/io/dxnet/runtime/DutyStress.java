package io.dxnet.runtime;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The duty of the fused layout: one thread drives, and a recalled duty comes back. */
public final class DutyStress {
    private DutyStress() {}

    /** A lent duty and what its holders write. */
    public abstract static class Lent {
        final Duty duty = new Duty();
        private int cycles; // the holder
        private boolean first;
        private boolean second;

        Lent() {
            duty.isHeld();
            duty.lend(() -> false);
        }

        final boolean drive(boolean handBack) {
            boolean drives = duty.tryDrive();
            if (drives) {
                cycles++;
                duty.release(handBack, () -> false);
            }
            return drives;
        }

        final void asFirst(boolean handBack) {
            first = drive(handBack);
        }

        final void asSecond(boolean handBack) {
            second = drive(handBack);
        }

        final void asEngine() {
            second = duty.tryAcquire(0);
            if (second) {
                cycles++;
            }
        }

        /** {@return how many held the duty, or -1: one did not see what another wrote} */
        final int holders() {
            int holders = (first ? 1 : 0) + (second ? 1 : 0);
            return cycles == holders ? holders : -1;
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "One thread drove, the other waits for the engine's.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "Both drove, one after the other.")
    @Outcome(expect = FORBIDDEN, desc = "Both drove at once, or neither.")
    @State
    public static class OneWaiterDrives extends Lent {
        @Actor
        public void first() {
            asFirst(false);
        }

        @Actor
        public void second() {
            asSecond(false);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = holders();
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The engine's thread acquired the duty before, or not yet.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "A waiting thread drove, and handed the duty back.")
    @Outcome(expect = FORBIDDEN, desc = "Both drove at once, or neither.")
    @State
    public static class WaiterOrEngineDrives extends Lent {
        @Actor
        public void waiter() {
            asFirst(true);
        }

        @Actor
        public void engine() {
            asEngine();
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = holders();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "A waiting thread drove, and handed the duty back.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The duty was kept before or after a thread drove.")
    @Outcome(expect = FORBIDDEN, desc = "The recall was lost: the duty is still lent.")
    @State
    public static class ARecalledDutyIsLentNoMore extends Lent {
        @Actor
        public void waiter() {
            drive(false);
        }

        @Actor
        public void stopper(II_Result r) {
            r.r1 = duty.keep() ? 1 : 0;
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = duty.tryDrive() ? 1 : 0;
        }
    }

    /** A request that is begun while the duty is held, and the decision to lend it. */
    public abstract static class Requested {
        final Duty duty = new Duty();
        private final AtomicInteger outstanding = new AtomicInteger();
        private boolean drives;

        Requested() {
            duty.isHeld();
        }

        final boolean isRequested() {
            return outstanding.get() != 0;
        }

        final void begin() {
            outstanding.incrementAndGet();
            drives = duty.tryDrive();
        }

        /** {@return 1 where the waiting thread drives, or the duty is not lent} */
        final int driven() {
            return drives || !duty.tryDrive() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The waiting thread drives, or the engine's thread does.")
    @Outcome(expect = FORBIDDEN, desc = "The duty was lent to a thread that had found it held.")
    @State
    public static class EngineLendsOrFindsTheRequest extends Requested {
        @Actor
        public void waiter() {
            begin();
        }

        @Actor
        public void engine() {
            if (!isRequested()) {
                duty.lend(this::isRequested);
            }
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = driven();
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The waiting thread drives, or the engine's thread is to.")
    @Outcome(expect = FORBIDDEN, desc = "The duty stayed lent, and the waiting thread had found it driven.")
    @State
    public static class DriverHandsBackForTheNextRequest extends Requested {
        public DriverHandsBackForTheNextRequest() {
            duty.lend(() -> false);
            duty.tryDrive();
        }

        @Actor
        public void waiter() {
            begin();
        }

        @Actor
        public void driver() {
            duty.release(isRequested(), this::isRequested);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = driven();
        }
    }
}
