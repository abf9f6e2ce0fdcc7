package io.dxnet.transport.shared;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The interest queue: no posted interest stays behind, and no agent
 * sleeps over one. Two threads each, for machines with two cores.
 */
public final class InterestQueueStress {
    private static final int NODE = 3;
    private static final int OTHER_NODE = 4;
    private static final int WRITE = 1 << 4;

    private InterestQueueStress() {}

    @JCStressTest
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "The last drain saw what both had written before they posted.")
    @Outcome(expect = FORBIDDEN, desc = "An interest is lost: it was drained before what it announces was visible.")
    @State
    public static class DrainSeesWhatWasWrittenBeforeThePost {
        private final InterestQueue queue = new InterestQueue(64);
        private volatile int first;
        private volatile int second;
        private volatile int seen;

        @Actor
        public void poster1() {
            first = 1;
            queue.post(NODE, WRITE);
        }

        @Actor
        public void poster2AndDrainer() {
            second = 2;
            queue.post(NODE, WRITE);
            queue.drain((id, bits) -> seen = first + second);
        }

        @Arbiter
        public void after(I_Result r) {
            queue.drain((id, bits) -> seen = first + second);
            r.r1 = seen;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 3", expect = ACCEPTABLE, desc = "Each node was in the list as often as a post returned true.")
    @Outcome(
            expect = FORBIDDEN,
            desc = "A node is in the list without a wake-up, twice, or not at all; or a bit is lost.")
    @State
    public static class EachFirstPostIsOneEntry {
        private final InterestQueue queue = new InterestQueue(64);
        private int posted1;
        private int posted2;
        private int drained;
        private int bits;

        @Actor
        public void poster1() {
            posted1 = queue.post(NODE, 1) ? 1 : 0;
            posted1 += queue.post(OTHER_NODE, 1) ? 1 : 0;
        }

        @Actor
        public void poster2AndDrainer() {
            posted2 = queue.post(OTHER_NODE, 2) ? 1 : 0;
            posted2 += queue.post(NODE, 2) ? 1 : 0;
            drained += queue.drain((id, set) -> bits |= set << (id == NODE ? 0 : 2));
        }

        @Arbiter
        public void after(II_Result r) {
            drained += queue.drain((id, set) -> bits |= set << (id == NODE ? 0 : 2));
            r.r1 = posted1 + posted2 - drained;
            r.r2 = bits == 15 ? 3 : bits;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The agent saw the interest before it slept.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The agent slept and was woken up.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Both saw each other: a wake-up too many.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The agent sleeps over an interest.")
    @State
    public static class NobodySleepsOverAnInterest {
        private final InterestQueue queue = new InterestQueue(64);
        private volatile int sleeping;

        @Actor
        public void agent(II_Result r) {
            sleeping = 1;
            r.r1 = queue.isEmpty() ? 1 : 0;
        }

        @Actor
        public void poster(II_Result r) {
            r.r2 = queue.post(NODE, WRITE) && sleeping == 1 ? 1 : 0;
        }
    }
}
