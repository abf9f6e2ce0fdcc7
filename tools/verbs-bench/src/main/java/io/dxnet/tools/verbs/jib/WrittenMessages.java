package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Messages that the other end writes into this end's memory. Each is recognised by
 * its last byte, as in perftest's {@code ib_write_lat}. Verbs do not promise that the
 * last byte arrives last, so verification waits a moment for the others.
 */
final class WrittenMessages implements Incoming {
    private static final VarHandle LAST = ValueLayout.JAVA_BYTE.varHandle();
    private static final long MOMENT_NS = 1_000_000_000;

    private final VerbsEnd end;
    private final RunSpec spec;
    private final int size;
    private final long stride;
    private final int slots;
    private long received;
    private long checked;
    private long corrupt;

    WrittenMessages(VerbsEnd end, RunSpec spec) {
        this.end = end;
        this.spec = spec;
        size = spec.point().size();
        stride = LinkOptions.stride(size);
        slots = end.options.sendSlots(size);
    }

    @Override
    public long received() {
        return received;
    }

    @Override
    public boolean done() {
        return received == spec.messages();
    }

    @Override
    public boolean poll() {
        if (done()) {
            return false;
        }
        long offset = (received & slots - 1) * stride;
        if ((byte) LAST.getAcquire(end.target.memory(), offset + size - 1) != Payload.tag(received)) {
            return false;
        }
        if (spec.verify()) {
            checked++;
            if (!becomesWhole(offset)) {
                corrupt++;
            }
        }
        received++;
        return true;
    }

    private boolean becomesWhole(long offset) {
        long deadline = System.nanoTime() + MOMENT_NS;
        while (!Payload.matches(end.target.memory(), offset, size, spec.seed(), received)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    @Override
    public void completed(WorkCompletion completion) {
        throw new IllegalStateException("a receive completed, but none was posted: " + completion);
    }

    @Override
    public void creditSent() {
        throw new IllegalStateException("writes need no credits");
    }

    @Override
    public Outcome outcome() {
        return new Outcome(0, checked, corrupt);
    }
}
