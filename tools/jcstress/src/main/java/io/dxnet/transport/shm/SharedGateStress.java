package io.dxnet.transport.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The gate of an attachment: what finds it empty after it was closed is alone with the memory. */
public final class SharedGateStress {
    private SharedGateStress() {}

    private static MemorySegment word() {
        return MemorySegment.ofArray(new long[1]);
    }

    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "The access did not enter.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It was inside at the owner's check.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "It was over, and the owner sees what it wrote.")
    @Outcome(expect = FORBIDDEN, desc = "The memory was free while the access was inside, or its bytes came late.")
    @State
    public static class NoAccessAfterItIsEmpty {
        private final SharedGate gate = SharedGate.open(word(), 0);
        private int memory; // 0: as shared, 1: written

        @Actor
        public void access(II_Result r) {
            if (gate.enter()) {
                memory = 1;
                gate.exit();
                r.r1 = 1;
            }
        }

        @Actor
        public void owner(II_Result r) {
            gate.close();
            r.r2 = gate.awaitEmpty(0) ? 1 + memory : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The earlier attachment does not enter; the next one does.")
    @Outcome(expect = FORBIDDEN, desc = "The earlier attachment enters, or closes the gate of the next one.")
    @State
    public static class AnEarlierAttachment {
        private final MemorySegment word = word();
        private final SharedGate earlier = SharedGate.open(word, 0);

        public AnEarlierAttachment() {
            earlier.close();
        }

        @Actor
        public void access(II_Result r) {
            r.r1 = earlier.enter() ? 1 : 0;
            earlier.close();
        }

        @Actor
        public void owner(II_Result r) {
            r.r2 = SharedGate.open(word, 0).enter() ? 1 : 0;
        }
    }
}
