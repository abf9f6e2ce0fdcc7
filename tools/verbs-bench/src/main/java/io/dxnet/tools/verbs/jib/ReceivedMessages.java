package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.ValueLayout;

/**
 * Receives, posted in advance and refilled in chains. After each quarter of them an RDMA write of
 * the number so far is the sender's credit. The sender thus never finds the receive queue empty: a
 * receiver that is not ready costs milliseconds on some devices (perftest does the same).
 */
final class ReceivedMessages implements Incoming {
    /** The id of the request that writes the credit; messages count from 0. */
    static final long CREDIT_ID = -1;

    private static final long OWN_CREDIT = 8;

    private final VerbsEnd end;
    private final RunSpec spec;
    private final int size;
    private final long stride;
    private final int slots;
    private final int creditEvery;
    private final ReceiveChain receives;
    private final SendChain credit = new SendChain(1, 1);
    private long posted;
    private long received;
    private long told;
    private boolean telling;
    private long checked;
    private long corrupt;

    /** Posts the first receives; the sender may begin afterwards. */
    ReceivedMessages(VerbsEnd end, RunSpec spec) {
        this.end = end;
        this.spec = spec;
        size = spec.point().size();
        stride = LinkOptions.stride(size);
        slots = end.options.receiveSlots(size);
        creditEvery = Math.max(1, slots / 4);
        receives = new ReceiveChain(slots, 1);
        while (posted < Math.min(slots, spec.messages())) {
            add();
        }
        post();
    }

    private void add() {
        long slot = posted & slots - 1;
        receives.receive(slot).sge(end.target, slot * stride, size);
        posted++;
    }

    private void post() {
        int taken = end.pair.postReceive(receives);
        if (taken != receives.size()) {
            throw new ToolException("the receive queue accepted " + taken + " of " + receives.size() + " requests");
        }
        receives.clear();
    }

    @Override
    public long received() {
        return received;
    }

    @Override
    public boolean done() {
        return received == spec.messages() && !telling;
    }

    @Override
    public void completed(WorkCompletion completion) {
        if (spec.verify()) {
            checked++;
            boolean whole = completion.byteLength() == size && completion.id() == (received & slots - 1);
            if (!whole
                    || !Payload.matches(end.target.memory(), completion.id() * stride, size, spec.seed(), received)) {
                corrupt++;
            }
        }
        received++;
        if (posted < spec.messages()) {
            add();
        }
    }

    /**
     * Refills the receives that were used since the last call,
     * and writes the sender's credit when it is due.
     */
    @Override
    public boolean poll() {
        boolean moved = receives.size() > 0;
        if (moved) {
            post();
        }
        long due = posted - slots - told;
        if (!telling && (due >= creditEvery || due > 0 && posted == spec.messages())) {
            tell();
            moved = true;
        }
        return moved;
    }

    private void tell() {
        told = posted - slots;
        end.flags.memory().set(ValueLayout.JAVA_LONG, OWN_CREDIT, told);
        credit.clear().write(CREDIT_ID, end.remote().flagAddress(), end.remote().flagKey());
        credit.sge(end.flags, OWN_CREDIT, Long.BYTES).signaled();
        if (end.pair.postSend(credit) != 1) {
            throw new ToolException("the send queue has no room for a credit");
        }
        telling = true;
    }

    @Override
    public void creditSent() {
        telling = false;
    }

    @Override
    public Outcome outcome() {
        return new Outcome(0, checked, corrupt);
    }
}
