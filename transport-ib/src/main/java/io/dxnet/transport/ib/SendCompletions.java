package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.transport.ib.qp.CompletionErrors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The completion queue that send queues share (Ibdxnet §7.2.3): polled once per duty cycle, never
 * waited for, and not at all when nothing is under way. Any thread may poll; one at a time does,
 * the others leave it to that one. An agent that is about to sleep does so too, but that one polls
 * again: it may have found the queue empty before the agent armed it.
 */
final class SendCompletions {
    private static final int BATCH = 32;
    /** A constant: the memory for another text may be exhausted. */
    private static final String LOST =
            "a completion could not be processed, as when memory is exhausted: the error is reported on its own";

    private final CompletionQueue queue;
    private final int entries;
    private final CompletionChannel channel;
    private final ConnectionSlots slots;
    private final DeviceEvents events;
    private final WorkCompletion batch = new WorkCompletion(BATCH); // the polling thread
    private final AtomicInteger outstanding = new AtomicInteger(); // signaled requests under way
    private final AtomicBoolean polling = new AtomicBoolean();
    private volatile boolean missed; // there may be more than was polled, for an agent that will sleep
    private volatile boolean armed; // the agent
    private int polled; // completions in the batch; the polling thread
    private int next; // the first of them that is not processed yet; the polling thread
    private boolean broken; // the polling thread

    SendCompletions(
            Context context, CompletionChannel channel, int entries, ConnectionSlots slots, DeviceEvents events) {
        this.queue =
                context.createCompletionQueue(CompletionQueue.options(entries).channel(channel));
        this.entries = entries;
        this.channel = channel;
        this.slots = slots;
        this.events = events;
    }

    CompletionQueue queue() {
        return queue;
    }

    CompletionChannel channel() {
        return channel;
    }

    /** Counts signaled requests under way: the send queues. */
    AtomicInteger outstanding() {
        return outstanding;
    }

    boolean isAnyOutstanding() {
        return outstanding.get() > 0;
    }

    /**
     * Polls once.
     *
     * @param caller the connection that the calling thread will send for; null: none
     * @return how many completions there were
     */
    int poll(IbConnection caller) {
        if (outstanding.get() == 0 || !polling.compareAndSet(false, true)) {
            return 0;
        }
        return pollAndRelease(caller, false);
    }

    /**
     * Polls once, or has the thread that is polling poll again. An agent that has armed the queue
     * and will sleep.
     *
     * @return how many completions there were
     */
    int pollBeforeSleep() {
        if (outstanding.get() == 0) {
            return 0;
        }
        if (!polling.compareAndSet(false, true)) {
            missed = true; // first: the other thread reads it after it has released
            if (!polling.compareAndSet(false, true)) {
                return 0;
            }
        }
        return pollAndRelease(null, true);
    }

    private int pollAndRelease(IbConnection caller, boolean isForAgent) {
        int count = 0;
        boolean isForMissed = isForAgent;
        do {
            boolean isFull;
            try {
                if (next == polled) {
                    fill();
                }
                isFull = polled == BATCH;
                count += polled - next;
                process(caller);
            } finally {
                polling.set(false);
            }
            if (isForMissed && isFull) {
                missed = true; // there may be more
            }
            isForMissed = acquireForMissed();
        } while (isForMissed);
        return count;
    }

    /** Whether an agent could not poll: then the calling thread does, unless another one polls. */
    private boolean acquireForMissed() {
        if (!missed || !polling.compareAndSet(false, true)) {
            return false;
        }
        missed = false;
        return true;
    }

    /** Polls a batch; the last one is processed. Returns how many completions there are. */
    private int fill() {
        next = 0;
        polled = 0;
        try {
            polled = broken ? 0 : queue.poll(batch);
        } catch (VerbsException e) {
            lost(e);
        }
        return polled;
    }

    /** Processes what is left of the batch. When that throws, the next poll processes the rest. */
    private void process(IbConnection caller) {
        while (next < polled) {
            WorkCompletion completion = batch.at(next++);
            IbConnection connection = slots.find(completion.id());
            if (connection == null) {
                continue; // of a queue pair that is gone
            }
            try {
                completed(connection, completion, caller);
            } catch (Throwable e) {
                connection.fail(LOST); // what it sends and what completes do not match any more
                throw e;
            }
        }
    }

    private static void completed(IbConnection connection, WorkCompletion completion, IbConnection caller) {
        if (!completion.isSuccess()) {
            connection.fail(CompletionErrors.describe(connection.nodeId(), "sending", completion.status()));
            return;
        }
        connection.sendQueue().completed();
        if (connection.stream().takeStalled()) {
            if (connection == caller) {
                connection.stream().resume();
            } else {
                connection.endpoint().post(connection.nodeId(), SendSide.WRITE);
            }
        }
    }

    /**
     * Reserves room for a connection's queue pair.
     *
     * @return a slot
     * @throws ConnectionSlots.FullException where there is no room
     */
    int reserve(IbConnection connection) {
        int slot = slots.take(connection);
        if (slot < 0) {
            throw new ConnectionSlots.FullException(slots.count());
        }
        return slot;
    }

    /**
     * Frees the slot of a destroyed queue pair: removes its completions, none of which counts any
     * more. Waits for a thread that is polling. The slot is free also when this throws, because
     * processing other connections' completions does.
     */
    void forget(IbConnection connection, int slot) {
        while (!polling.compareAndSet(false, true)) {
            Thread.yield(); // the time of one batch
        }
        try {
            drain();
        } finally {
            try {
                free(connection, slot);
            } finally {
                polling.set(false);
            }
        }
        if (acquireForMissed()) {
            pollAndRelease(null, true);
        }
    }

    private void free(IbConnection connection, int slot) {
        slots.free(slot);
        SendQueue sending = connection.sendQueue();
        if (sending != null) {
            sending.forget();
        }
    }

    private void drain() {
        process(null);
        int count = BATCH;
        for (int left = entries; count == BATCH && left > 0; left -= count) {
            count = fill();
            process(null);
        }
    }

    private void lost(VerbsException e) {
        broken = true;
        events.deviceFailed("the send completion queue is lost: " + e.getMessage());
    }

    /** Announces the next completion where one is under way. The agent. */
    void arm() {
        if (armed || outstanding.get() == 0) {
            return;
        }
        armed = true;
        try {
            queue.requestNotification(false);
        } catch (VerbsException e) {
            events.deviceFailed("the send completion queue can't be armed: " + e.getMessage());
        }
    }

    /** Whether the next completion ends the agent's sleep. Any thread. */
    boolean isArmed() {
        return armed;
    }

    void fired() {
        armed = false;
    }
}
