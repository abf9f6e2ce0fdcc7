package io.dxnet.runtime.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dxnet.DXNetException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What a thread finds that waits for operations, when none is open. */
public final class ResultStress {
    private static final long[] FAILED = {-1, -1};

    private ResultStress() {}

    /** {@return what a complete one returns} */
    @SuppressWarnings("NullAway") // strategies: a complete one is not waited for
    private static long[] get(Result result) {
        try {
            return result.await(null, 0);
        } catch (DXNetException e) {
            return FAILED;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "One was open.")
    @Outcome(id = "7, 9", expect = ACCEPTABLE, desc = "None was open, and what both returned is seen.")
    @Outcome(expect = FORBIDDEN, desc = "It was complete without what one of them returned.")
    @State
    public static class BothReturn {
        private final Result result = new Result(new Failures(0, ""));
        private final int first = result.atomic();
        private final int second = result.atomic();

        public BothReturn() {
            result.begin(2);
        }

        @Actor
        public void one() {
            result.done(first, 7);
        }

        @Actor
        public void other(II_Result r) {
            result.done(second, 9);
            if (result.isDone()) {
                long[] previous = get(result);
                r.r1 = (int) previous[first];
                r.r2 = (int) previous[second];
            }
        }
    }

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "One was open.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "None was open, and the failure is seen.")
    @Outcome(expect = FORBIDDEN, desc = "It was complete without the failure.")
    @State
    public static class OneFails {
        private final Result result = new Result(new Failures(0, ""));

        public OneFails() {
            result.begin(2);
        }

        @Actor
        public void fails() {
            result.failed(new DXNetException("failed"));
        }

        @Actor
        public void succeeds(I_Result r) {
            result.done(-1, 0);
            if (result.isDone()) {
                r.r1 = get(result) == FAILED ? 1 : 2;
            }
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "It was open.")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "It was complete, and is open again.")
    @Outcome(expect = FORBIDDEN, desc = "The next operation was complete before it was posted.")
    @State
    public static class ItIsUsedAgain {
        private final Result result = new Result(new Failures(0, ""));
        private final int place = result.atomic();

        public ItIsUsedAgain() {
            result.begin(1);
        }

        @Actor
        public void device() {
            result.done(place, 7);
        }

        @Actor
        public void waiter(II_Result r) {
            if (result.isDone()) {
                r.r1 = (int) get(result)[place];
                result.beginAgain(1);
                r.r2 = result.isDone() ? 0 : 1;
            }
        }
    }
}
