package io.dxnet.runtime.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The gate of a shared region: what finds it empty after it was closed is alone with the segment.
 */
public final class AccessGateStress {
    private AccessGateStress() {}

    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "The access did not enter.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It was inside at the owner's poll.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "It was over, and the owner sees what it wrote.")
    @Outcome(expect = FORBIDDEN, desc = "The segment was free while the access was inside, or its bytes came late.")
    @State
    public static class NoAccessAfterItIsEmpty {
        private final AccessGate gate = new AccessGate();
        private int segment; // 0: as shared, 1: written

        @Actor
        public void access(II_Result r) {
            if (gate.enter()) {
                segment = 1;
                gate.exit();
                r.r1 = 1;
            }
        }

        @Actor
        public void owner(II_Result r) {
            gate.close();
            if (gate.awaitEmpty(0)) {
                r.r2 = 1 + segment;
            }
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One of them closed it.")
    @Outcome(expect = FORBIDDEN, desc = "Both closed it, or neither.")
    @State
    public static class OneCloses {
        private final AccessGate gate = new AccessGate();

        @Actor
        public void first(II_Result r) {
            r.r1 = gate.close() ? 1 : 0;
        }

        @Actor
        public void second(II_Result r) {
            gate.enter();
            r.r2 = gate.close() ? 1 : 0;
        }
    }
}
