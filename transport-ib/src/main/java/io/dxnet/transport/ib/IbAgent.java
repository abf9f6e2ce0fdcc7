package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.transport.Agent;
import java.util.List;

/**
 * A duty cycle of the msgrc engine: receives, sends, or both, as the threading layout wants it. One thread at a time.
 */
final class IbAgent implements Agent, EventWait.Work {
    private static final long SHARED_NS = 1_000_000;

    private final String role;
    private final ReceiveEndpoint receiver; // null: sends only
    private final SendEndpoint[] senders;
    private final EventWait wait;

    IbAgent(String role, ReceiveEndpoint receiver, List<SendEndpoint> senders, EventWait wait) {
        this.role = role;
        this.receiver = receiver;
        this.senders = senders.toArray(new SendEndpoint[0]);
        this.wait = wait;
        for (SendEndpoint sender : senders) {
            sender.wire(wait);
        }
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public int doWork() {
        int work = receiver == null ? 0 : receiver.doWork();
        for (SendEndpoint sender : senders) {
            work += sender.doWork();
        }
        if (work > 0) {
            wait.worked();
        }
        return work;
    }

    @Override
    public void await(long timeoutNs) {
        long ns = receiver == null ? timeoutNs : receiver.limit(timeoutNs);
        for (SendEndpoint sender : senders) {
            ns = sender.limit(ns);
            if (!wait.covers(sender.completions().channel())
                    && sender.completions().isAnyOutstanding()) {
                ns = Math.min(ns, SHARED_NS); // another agent is told of them
            }
        }
        wait.await(this, ns);
    }

    @Override
    public void wakeup() {
        wait.wakeup();
    }

    /** Ends a wait where there is one. Any thread. */
    void wakeIfAsleep() {
        wait.wakeIfAsleep();
    }

    @Override
    public boolean hasWork() {
        boolean work = receiver != null && receiver.hasWork();
        for (SendEndpoint sender : senders) {
            work |= sender.hasWork();
        }
        return work;
    }

    @Override
    public void arm() {
        if (receiver != null) {
            receiver.arm();
        }
        for (SendEndpoint sender : senders) {
            if (wait.covers(sender.completions().channel())) {
                sender.completions().arm();
            }
        }
    }

    @Override
    public void fired(CompletionQueue queue) {
        if (receiver != null && queue == receiver.queue()) {
            receiver.fired();
        }
        for (SendEndpoint sender : senders) {
            if (queue == sender.completions().queue()) {
                sender.completions().fired();
            }
        }
    }
}
