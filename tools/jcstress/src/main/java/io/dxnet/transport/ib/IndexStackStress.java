package io.dxnet.transport.ib;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The free list of the receive pool: every index is in one place at
 * a time. Two threads each, for machines with two cores.
 */
public final class IndexStackStress {
    private IndexStackStress() {}

    private static IndexStack full(int count) {
        IndexStack stack = new IndexStack(count);
        for (int i = count - 1; i >= 0; i--) {
            stack.push(i);
        }
        return stack;
    }

    /** The indices left, as bits; one that is there twice, or in a circle, shows in bit 8. */
    private static int rest(IndexStack stack) {
        int bits = 0;
        for (int i = 0; i <= stack.count(); i++) {
            int index = stack.pop();
            if (index == IndexStack.NONE) {
                return bits;
            }
            bits |= (bits & 1 << index) == 0 ? 1 << index : 1 << 8;
        }
        return bits | 1 << 8;
    }

    @JCStressTest
    @Outcome(id = "0, 1, 4", expect = ACCEPTABLE, desc = "The first was faster.")
    @Outcome(id = "1, 0, 4", expect = ACCEPTABLE, desc = "The second was faster.")
    @Outcome(expect = FORBIDDEN, desc = "An index was popped twice, or is lost.")
    @State
    public static class TwoTakeDifferentOnes {
        private final IndexStack stack = full(3);

        @Actor
        public void taker1(III_Result r) {
            r.r1 = stack.pop();
        }

        @Actor
        public void taker2(III_Result r) {
            r.r2 = stack.pop();
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = rest(stack);
        }
    }

    /**
     * The ABA problem: while one thread reads 0 and 1 below
     * it, the other pops both and pushes 0 again.
     */
    @JCStressTest
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "It was first: the other popped 1 and 2, and pushed 1 again.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It came after the other's first pop.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "It came after the other's second pop.")
    @Outcome(id = "0, 4", expect = ACCEPTABLE, desc = "It was last: it popped what the other had pushed again.")
    @Outcome(expect = FORBIDDEN, desc = "An index is out and in the stack, or lost.")
    @State
    public static class ADelayedTakerIsNotFooled {
        private final IndexStack stack = full(3);
        private int second;

        @Actor
        public void delayed(II_Result r) {
            r.r1 = stack.pop();
        }

        @Actor
        public void quick() {
            int first = stack.pop();
            second = stack.pop();
            stack.push(first);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = rest(stack);
        }
    }

    @JCStressTest
    @Outcome(id = "-1, 3", expect = ACCEPTABLE, desc = "The stack was empty when it popped.")
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "It was pushed before.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both were pushed before.")
    @Outcome(expect = FORBIDDEN, desc = "An index is out and in the stack, or lost.")
    @State
    public static class WhatIsGivenBackIsThere {
        private final IndexStack stack = new IndexStack(2);

        @Actor
        public void giver() {
            stack.push(0);
            stack.push(1);
        }

        @Actor
        public void taker(II_Result r) {
            r.r1 = stack.pop();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = rest(stack);
        }
    }
}
