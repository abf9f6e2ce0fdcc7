package io.dxnet.runtime.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An object that is used again: by one thread at a time, which sees what the last one wrote. */
public final class SparesStress {
    private SparesStress() {}

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One of them acquired it.")
    @Outcome(expect = FORBIDDEN, desc = "Both did, or neither.")
    @State
    public static class OneAcquires {
        private final Object spare = new Object();
        private final Spares<Object> spares = new Spares<>(Object::new);

        public OneAcquires() {
            spares.release(spare);
        }

        @Actor
        public void first(II_Result r) {
            r.r1 = spares.acquire() == spare ? 1 : 0;
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = spares.acquire() == spare ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The second one came while the first one used it.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The second one was first.")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "It was released, and what was written is seen.")
    @Outcome(expect = FORBIDDEN, desc = "It was lost, or used by both, or what was written is not seen.")
    @State
    public static class TheNextOneSeesWhatWasWritten {
        private final int[] spare = new int[1];
        private final Spares<int[]> spares = new Spares<>(() -> new int[1]);

        public TheNextOneSeesWhatWasWritten() {
            spares.release(spare);
        }

        @Actor
        public void first(II_Result r) {
            int[] used = spares.acquire();
            r.r1 = used == spare ? 1 : 0;
            used[0] = 1;
            spares.release(used);
        }

        @Actor
        public void second(II_Result r) {
            int[] used = spares.acquire();
            r.r2 = used == spare ? 1 + used[0] : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Each is used by one thread.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Each is used by one thread.")
    @Outcome(
            id = {"1, 0", "0, 1", "2, 0", "0, 2"},
            expect = ACCEPTABLE,
            desc = "Both were released to one place: one is garbage.")
    @Outcome(expect = FORBIDDEN, desc = "Both threads use one.")
    @State
    public static class TwoAreReleased {
        private final Integer[] made = {1, 2};
        private final Spares<Integer> spares = new Spares<>(() -> 0);

        @Actor
        public void first(II_Result r) {
            spares.release(made[0]);
            r.r1 = spares.acquire();
        }

        @Actor
        public void second(II_Result r) {
            spares.release(made[1]);
            r.r2 = spares.acquire();
        }
    }
}
