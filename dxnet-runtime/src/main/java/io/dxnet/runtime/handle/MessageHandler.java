package io.dxnet.runtime.handle;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.receive.Batch;
import io.dxnet.runtime.receive.HeaderStores;
import io.dxnet.runtime.receive.SplitMessage;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.Counter;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.runtime.wire.WireFormat;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.ThreadSignal;
import java.lang.foreign.MemorySegment;
import java.util.Queue;

/**
 * A message handler (DXNet §VI-A): polls batches from the header stores and delivers
 * their messages. The last reader of a buffer releases it.
 */
public final class MessageHandler implements Agent {
    private static final int BATCHES_PER_CYCLE = 8;
    /**
     * Callbacks that wait inside callbacks: deeper ones no longer complete responses,
     * which ends the recursion.
     */
    private static final int NESTING_MAX = 4;

    /** {@link #callMark} of a handler that handles nothing. */
    static final long IDLE = 0;

    private final int index;
    private final HeaderStores stores;
    private final Queue<SplitMessage> splits;
    private final Completions completions;
    private final Completions.Backlog backlog;
    private final Delivery delivery;
    private final Delivery.Events events;
    private final ThreadSignal threadSignal;
    private final Batch batch = new Batch();
    private final MessageImporter importer = new MessageImporter();
    private int nesting; // the agent's thread
    private volatile long waitMark = IDLE; // the agent's thread

    private final Counter turns = new Counter(); // odd while it is at work: the agent's thread

    public MessageHandler(
            int index,
            HeaderStores stores,
            Delivery delivery,
            Queue<SplitMessage> splits,
            Completions completions,
            Delivery.Events events) {
        this.index = index;
        this.stores = stores;
        this.delivery = delivery;
        this.splits = splits;
        this.completions = completions;
        this.backlog = completions.backlog();
        this.events = events;
        this.threadSignal = new ThreadSignal(() -> stores.hasWork(index));
        stores.handler(index, this::isWaiting);
    }

    public Delivery delivery() {
        return delivery;
    }

    public ThreadSignal threadSignal() {
        return threadSignal;
    }

    @Override
    public String role() {
        return "handler-" + index;
    }

    @Override
    public int doWork() {
        int work = 0;
        turns.add(1);
        try {
            while (work < BATCHES_PER_CYCLE) {
                if (stores.responses().poll(batch)) {
                    handleResponses();
                } else if (stores.exclusive(index).poll(batch)
                        || stores.shared().poll(batch)) {
                    handle(batch, importer);
                } else {
                    break;
                }
                work++;
            }
            return work;
        } finally {
            turns.add(1);
        }
    }

    /** Ends the requests whose responses are here. The agent's thread, outside of callbacks. */
    public int endRequests() {
        int work = 0;
        turns.add(1);
        try {
            while (work < BATCHES_PER_CYCLE && stores.responses().poll(batch)) {
                handleResponses();
                work++;
            }
        } finally {
            turns.add(1);
        }
        return work;
    }

    /**
     * Handles a run of responses, then completes the futures: the buffer is returned,
     * and no response waits for a dependent.
     */
    private void handleResponses() {
        EngineThread own = EngineThread.current();
        if (own == null) { // an application's thread drives: completers complete the futures
            endRequests(batch, importer);
            return;
        }
        own.completes(backlog);
        try {
            endRequests(batch, importer);
        } finally {
            own.completes(null);
        }
        completions.drain(backlog);
    }

    /**
     * {@return where the handler is: {@link #IDLE}, or a number that is the same for as long
     * as one callback, or one dependent of a future, lasts} Any thread.
     */
    long callMark() {
        long turn = turns.get();
        return (turn & 1) == 0 ? IDLE : turn + delivery.count();
    }

    /** Whether there is something that only {@link #doWork} may do. */
    public boolean hasWorkForReceivers() {
        return !stores.exclusive(index).isEmpty() || !stores.shared().isEmpty();
    }

    /**
     * Sends what the callback has sent and ends requests, and nothing else: what this thread
     * can do while one of its callbacks waits. Exclusive order and "one message at a time" stay,
     * because no receiver is called and no dependent of a future.
     */
    public int progress() {
        events.flush(events.sends());
        waitMark = callMark(); // before: the coordinator may have to pass a full store for the response
        int work = endRequestsInCallback();
        waitMark = callMark();
        return work;
    }

    /** Whether a callback waits, or has waited, in {@link #progress}. Any thread; a snapshot. */
    boolean isWaiting() {
        long mark = waitMark;
        return mark != IDLE && mark == callMark();
    }

    @SuppressWarnings("NullAway") // made together with the batch
    private int endRequestsInCallback() {
        if (nesting >= NESTING_MAX) {
            return 0;
        }
        Batch inner = null;
        MessageImporter innerImporter = null;
        int work = 0;
        nesting++;
        try {
            while (work < BATCHES_PER_CYCLE && !stores.responses().isEmpty()) {
                if (inner == null) {
                    inner = new Batch();
                    innerImporter = new MessageImporter();
                }
                if (!stores.responses().poll(inner)) {
                    break;
                }
                endRequests(inner, innerImporter);
                work++;
            }
        } finally {
            nesting--;
        }
        return work;
    }

    @Override
    public void await(long timeoutNs) {
        threadSignal.park(timeoutNs);
    }

    @Override
    public void wakeup() {
        threadSignal.wakeup();
    }

    /** Handles a run of responses: its connection's end waits for that. */
    private void endRequests(Batch responses, MessageImporter with) {
        PeerConnection connection = responses.connection();
        try {
            handle(responses, with);
        } finally {
            connection.unhandledResponses().decrementAndGet();
        }
    }

    private void handle(Batch work, MessageImporter with) {
        SenderThread sends = events.sends();
        SenderThread.Signals outer = sends.beginBatch();
        int outerEpoch = sends.epoch;
        sends.epoch = work.epoch;
        try {
            if (work.split() != null) {
                sends.lastCallback();
                handleSplit(work.split(), with);
            } else {
                handleRun(work, with, sends);
            }
        } finally {
            sends.endBatch(outer);
            sends.epoch = outerEpoch;
            events.flush(sends);
        }
    }

    private void handleRun(Batch run, MessageImporter with, SenderThread sends) {
        io.dxnet.transport.IncomingBuffer buffer = run.buffer();
        int at = run.start();
        int counted = at;
        int end = run.end();
        PeerConnection connection = (PeerConnection) buffer.connection();
        Throwable failure = null;
        try {
            MemorySegment segment = buffer.segment();
            while (at < end) {
                long word = HeaderDescriptor.word(segment, at);
                int length = HeaderDescriptor.length(segment, at);
                at += HeaderDescriptor.BYTES;
                with.begin(segment, at, length);
                at += length;
                if (at >= end) {
                    sends.lastCallback();
                }
                try {
                    delivery.deliver(connection, word, with);
                    if (connection.hasLeft() && at < end) { // its end waits while messages are handled
                        reportRejected();
                        int bytes = at - counted;
                        counted = at;
                        count(connection, run.epoch, bytes);
                    }
                } catch (RuntimeException | Error thrown) { // of a report; the messages behind are handled too
                    failure = failure == null ? thrown : failure;
                }
            }
            reportRejected();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
        } finally {
            count(connection, run.epoch, end - counted);
            buffer.release();
        }
    }

    private static void count(PeerConnection connection, int epoch, int bytes) {
        connection.handled(epoch, bytes);
        connection.processed(bytes);
    }

    /**
     * Reports, at the end of a batch, what was rejected. Not at the end of one that is handled
     * inside a callback of it: that one holds responses, and may come amid a send.
     */
    private void reportRejected() {
        if (nesting == 0) {
            delivery.reportRejected();
        }
    }

    private void handleSplit(SplitMessage split, MessageImporter with) {
        try {
            long word = split.headerWord();
            int control = HeaderDescriptor.control(word);
            int payload = (control & HeaderDescriptor.STREAMED) == 0 ? split.length() : split.length() - 1;
            if ((control & HeaderDescriptor.CATEGORY_MASK) == HeaderDescriptor.ABORTED || isGivenUp(split, control)) {
                delivery.drop();
            } else {
                with.begin(split, payload);
                delivery.deliver(split.connection(), word, with);
                reportRejected();
            }
        } finally {
            with.end();
            split.release();
            splits.offer(split); // refused when there are enough
        }
    }

    /** Whether the sender could not finish the message: the trailer, the last byte, shows that. */
    private static boolean isGivenUp(SplitMessage split, int control) {
        if ((control & HeaderDescriptor.STREAMED) == 0) {
            return false;
        }
        int last = split.pieces() - 1;
        int offset = split.offset(last) + split.bytes(last) - 1;
        return split.buffer(last).segment().get(WireFormat.BYTE, offset) != HeaderDescriptor.TRAILER_WHOLE;
    }
}
