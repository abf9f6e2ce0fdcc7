package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.idle.IdleWait;
import io.dxnet.transport.idle.ParkingPlace;
import io.dxnet.transport.idle.ThreadSignal;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A duty cycle of the msgrc engine: receives, sends, or both, as the threading layout
 * wants it. One thread at a time.
 */
final class IbAgent implements Agent, ParkingPlace {
    private static final long SHARED_NS = 1_000_000;

    /** A channel waits for whole milliseconds. */
    private static final long CHANNEL_NS_MIN = TimeUnit.MICROSECONDS.toNanos(900);

    private final String role;
    private final ReceiveEndpoint receiver; // null: sends only
    private final SendEndpoint[] senders;
    private final CompletionChannel channel;
    private final ThreadSignal signal = new ThreadSignal(this::hasWork, this, CHANNEL_NS_MIN);
    private final IdleWait wait;

    /**
     * An agent of one thread.
     *
     * @param strategy what comes before it parks
     */
    IbAgent(
            String role,
            ReceiveEndpoint receiver,
            List<SendEndpoint> senders,
            CompletionChannel channel,
            IdleStrategy strategy) {
        this.role = role;
        this.receiver = receiver;
        this.senders = senders.toArray(new SendEndpoint[0]);
        this.channel = channel;
        this.wait = new IdleWait(strategy, this::hasWork, signal);
        if (receiver != null) {
            receiver.wire(signal);
        }
        for (SendEndpoint sender : senders) {
            sender.wire(signal);
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
            if (sender.completions().channel() != channel
                    && sender.completions().isAnyOutstanding()) {
                ns = Math.min(ns, SHARED_NS); // another agent is notified of them
            }
        }
        wait.await(ns);
    }

    @Override
    public void wakeup() {
        signal.wakeup();
    }

    private boolean hasWork() {
        boolean work = receiver != null && receiver.hasWork();
        for (SendEndpoint sender : senders) {
            work |= sender.hasWork();
        }
        return work;
    }

    /** Arms the queues first, so that what completes from now on is announced in the channel. */
    @Override
    public boolean mayPark() {
        if (receiver != null) {
            receiver.arm();
        }
        for (SendEndpoint sender : senders) {
            if (sender.completions().channel() == channel) {
                sender.completions().arm();
            }
        }
        boolean work = hasWork();
        for (SendEndpoint sender : senders) {
            work |= sender.completions().pollBeforeSleep() > 0;
        }
        return !work;
    }

    @Override
    public void park(long timeoutNs) {
        CompletionQueue queue =
                channel.await(Math.clamp(TimeUnit.NANOSECONDS.toMillis(timeoutNs), 1, Integer.MAX_VALUE));
        if (queue != null) {
            fired(queue);
        }
    }

    @Override
    public void unpark() {
        channel.wakeUp();
    }

    private void fired(CompletionQueue queue) {
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
