package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.ib.qp.CompletionErrors;
import io.dxnet.transport.idle.ThreadSignal;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The receiving half of the msgrc engine (Ibdxnet §7.2.4, §8.3): polls the shared receive
 * completion queue in batches, applies flow control, hands filled buffers to the engine in order,
 * and refills the shared receive queue with chains.
 *
 * <p>Data of a few hundred bytes is copied together, message after message of one connection, so
 * that its receive can be posted again at once: a buffer of the pool for each would be mostly
 * empty, and empty pools are what starves a shared receive queue. The same is done with larger data
 * while the pool is empty and the engine's own pool is not: then the queue stays filled, and no
 * sender's device finds a receiver that is not ready.
 *
 * <p>{@link #endLater}: any thread; the others: the receiving agent.
 */
final class ReceiveEndpoint implements IbConnection.Receiver {
    private static final int BATCH = 64;
    /** Receives worth a call of their own; fewer wait for a cycle that finds nothing. */
    private static final int REFILL_MIN = 8;

    private static final int OPEN_BYTES = 16 << 10;
    /** A constant: the memory for another text may be exhausted. */
    private static final String CUT =
            "received data could not be kept, as when memory is exhausted: the error is reported on its own";

    private final TransportContext context;
    private final DeviceEvents events;
    private ThreadSignal signal; // set before anything runs
    private Consumer<IbConnection> destroyer; // set before anything runs
    private final Connections<IbConnection> connections;
    private final ConnectionSlots slots;
    private final CompletionQueue queue;
    private final ReceiveSlots receives;
    private final IncomingRing ring;
    private final WorkCompletion batch = new WorkCompletion(BATCH);
    private final int batchEntries;
    private final int copyBytesMax;
    private final int bufferBytes;
    private final ReceivePool pool;
    private final EndingConnections endings;
    private final Decryption decryption;
    private int polled; // completions in the batch
    private int next; // the first of them that is not processed yet
    private boolean foundNothing; // the cycle's poll
    private boolean processing;
    private boolean armed;
    private boolean broken;
    private IbConnection openConnection; // whose small data is being copied together
    private IncomingBuffer open;

    ReceiveEndpoint(
            TransportContext context,
            DeviceEvents events,
            Context device,
            CompletionChannel channel,
            Connections<IbConnection> connections,
            ConnectionSlots slots,
            ReceivePool pool,
            ReceiveSlots receives,
            IbOptions options) {
        this.context = context;
        this.events = events;
        this.connections = connections;
        this.slots = slots;
        this.pool = pool;
        this.receives = receives;
        this.bufferBytes = pool.bufferBytes();
        this.copyBytesMax = Math.min(options.copyBytesMax(), bufferBytes);
        this.batchEntries = BATCH * (options.receiveSges() + 1);
        this.ring = new IncomingRing(context, 4 * batchEntries);
        this.queue = device.createCompletionQueue(
                CompletionQueue.options(options.sharedReceiveRequests() + BATCH).channel(channel));
        this.decryption = new Decryption(receives, bufferBytes, options.encryption());
        this.endings = new EndingConnections(context, ring, queue.capacity(), this::destroyLater, System::nanoTime);
    }

    void wire(ThreadSignal toRaise) {
        this.signal = toRaise;
    }

    /** Sets what accepts the connections whose queue pair may be destroyed, which is slow. */
    void wire(Consumer<IbConnection> toDestroy) {
        this.destroyer = toDestroy;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** One duty cycle. */
    int doWork() {
        int work = ring.dispatch();
        work += receive();
        int missing = receives.missing();
        if (missing >= REFILL_MIN || work == 0 && missing > 0) {
            refill();
        }
        return work + endings.proceed(foundNothing);
    }

    private void refill() {
        if (broken) {
            return;
        }
        try {
            receives.refill(polled == BATCH);
        } catch (VerbsException e) {
            lost("nothing can be posted to the shared receive queue", e);
        }
    }

    private void lost(String what, VerbsException e) {
        broken = true;
        events.deviceFailed(what + ": " + e.getMessage());
    }

    private int receive() {
        endings.cycleBegins();
        if (processing) {
            return 0; // a broken protocol was reported to the engine, and what waits for that called back
        }
        foundNothing = false;
        int count = poll();
        // Without room for a batch nothing was polled: that shows nothing of what the queue holds.
        foundNothing = broken || count == 0 && ring.room() >= batchEntries;
        processing = true;
        try {
            while (next < polled) {
                process(batch.at(next++)); // when it throws, the next cycle processes the rest
            }
        } finally {
            processing = false;
            closeOpen();
        }
        return count > 0 ? count + ring.dispatch() : 0;
    }

    /**
     * Polls a batch, where the last one is processed and the ring has room for the next; returns
     * what is to be processed.
     */
    private int poll() {
        if (next < polled || broken || ring.room() < batchEntries) {
            return polled - next;
        }
        next = 0;
        polled = 0;
        try {
            polled = queue.poll(batch);
            endings.polled(polled);
        } catch (VerbsException e) {
            lost("the receive completion queue is lost", e);
        }
        return polled;
    }

    private void process(WorkCompletion completion) {
        int slot = (int) completion.id();
        int queuePair = completion.qpNumber();
        receives.used(slot);
        try {
            processUsed(completion, slot);
        } catch (Throwable e) {
            cut(queuePair);
            throw e;
        }
    }

    /**
     * Data of a queue pair is lost: its connection fails, and nothing after it is accepted, which
     * would follow a gap.
     */
    private void cut(int queuePair) {
        IbConnection connection = slots.ofQueuePair(queuePair);
        if (connection != null) {
            slots.cut(connection); // first: failing it may throw as well
            connection.fail(CUT);
        }
    }

    private void processUsed(WorkCompletion completion, int slot) {
        if (!completion.isSuccess()) {
            IbConnection connection = slots.ofQueuePair(completion.qpNumber());
            if (connection != null) {
                connection.fail(CompletionErrors.describe(connection.nodeId(), "receiving", completion.status()));
            }
            return;
        }
        int immediate = completion.immediate();
        IbConnection connection = find(ImmediateData.nodeId(immediate), completion.qpNumber());
        if (connection == null || !completion.hasImmediate()) {
            stranger(completion);
            return;
        }
        int bytes = (int) completion.byteLength();
        ReceiveCipher cipher = connection.receiveCipher();
        if (cipher != null) {
            bytes = decryption.decrypt(connection, cipher, completion.qpNumber(), slot, bytes, immediate);
        }
        if (bytes < 0 || slots.isCut(connection) || !connection.mayReceive()) {
            return;
        }
        connection.received();
        int steps = ImmediateData.steps(immediate);
        if (steps > 0) {
            connection.connection().flowControlReceived(steps);
        }
        int signals = ImmediateData.signals(immediate);
        if (signals != 0) {
            closeOpen(); // what came before is passed on before
            connection.connection().signalsReceived(signals);
        }
        if (bytes > 0) {
            received(connection, slot, bytes);
        }
    }

    private IbConnection find(int nodeId, int queuePair) {
        IbConnection connection = connections.first(nodeId);
        while (connection != null && connection.queuePairNumber() != queuePair) {
            connection = connection.next();
        }
        return connection;
    }

    /** A message that belongs to no connection: late, or of a peer that breaks the protocol. */
    private void stranger(WorkCompletion completion) {
        IbConnection connection = slots.ofQueuePair(completion.qpNumber());
        if (connection == null || connection.isClosed()) { // late, of one that has ended
            return;
        }
        ReceiveCipher cipher = connection.receiveCipher();
        if (cipher != null) {
            decryption.refuse(connection, cipher);
        } else if (connection.mayReceive()) {
            connection.fail("it sent a message with another node's id, or without immediate data");
        }
    }

    private void received(IbConnection connection, int slot, int bytes) {
        if (bytes <= copyBytesMax && append(connection, slot, bytes)) {
            return;
        }
        closeOpen();
        for (int sge = 0, left = bytes; left > 0; sge++, left -= bufferBytes) {
            int length = Math.min(bufferBytes, left);
            IncomingBuffer buffer = pool.isEmpty() ? copyOut(slot, sge, length) : null;
            if (buffer == null) {
                buffer = receives.take(slot, sge);
            }
            buffer.length(length);
            ring.push(connection, buffer);
        }
    }

    /** Adds small data to what came before it; false when there is no buffer for that. */
    private boolean append(IbConnection connection, int slot, int bytes) {
        if (openConnection != connection || open.capacity() - open.length() < bytes) {
            closeOpen();
            open = takeFor(Math.max(bytes, OPEN_BYTES), bytes);
            if (open == null) {
                return false;
            }
            open.length(0);
            openConnection = connection;
        }
        int at = open.length();
        MemorySegment.copy(receives.peek(slot, 0).segment(), 0, open.segment(), at, bytes);
        open.length(at + bytes);
        return true;
    }

    /** A copy in memory of the engine's pool; null when that is out as well. */
    private IncomingBuffer copyOut(int slot, int sge, int bytes) {
        IncomingBuffer buffer = takeFor(bytes, bytes);
        if (buffer != null) {
            MemorySegment.copy(receives.peek(slot, sge).segment(), 0, buffer.segment(), 0, bytes);
        }
        return buffer;
    }

    /**
     * Acquires a buffer of the engine's pool that has the bytes; null where there is a smaller one
     * only, or none.
     */
    private IncomingBuffer takeFor(int wantedBytes, int neededBytes) {
        IncomingBuffer buffer = context.pool().take(wantedBytes);
        if (buffer != null && buffer.capacity() < neededBytes) {
            buffer.giveBack();
            return null;
        }
        return buffer;
    }

    private void closeOpen() {
        if (open != null) {
            ring.push(openConnection, open);
            open = null;
            openConnection = null;
        }
    }

    // ---------------------------------------------------------------- ends

    @Override
    public void endLater(IbConnection connection) {
        endings.addFailed(connection);
        signal.raise();
    }

    /**
     * Nothing of this connection is to be handed over any more; then it is destroyed, after what
     * its queue pair received is polled: see {@link EndingConnections}. Its queue pair is in the
     * error state. Any thread.
     */
    void purgeLater(IbConnection connection) {
        endings.addStopped(connection);
        signal.raise();
    }

    private void destroyLater(IbConnection connection) {
        purge(connection);
        destroyer.accept(connection);
    }

    @Override
    public void purge(IbConnection connection) {
        if (openConnection == connection && open != null) {
            closeOpen();
        }
        ring.purge(connection);
    }

    /** What was not authentic. Any thread; a snapshot. */
    String describeSecurity() {
        return decryption.describe();
    }

    /** Pool buffers that the engine has. Any thread; a snapshot. */
    long buffersInUse() {
        return pool.out();
    }

    /** Returns all buffers. When the agent has ended. */
    void close() {
        for (IbConnection c : endings.stopped()) {
            purge(c);
            c.finish();
        }
        closeOpen();
        ring.clear();
    }

    // ---------------------------------------------------------------- waiting

    /** Polls whether there is work. */
    boolean hasWork() {
        return poll() > 0 || endings.isAnyAdded();
    }

    void arm() {
        if (armed || broken) {
            return;
        }
        armed = true;
        try {
            queue.requestNotification(false);
        } catch (VerbsException e) {
            lost("the receive completion queue can't be armed", e);
        }
    }

    void fired() {
        armed = false;
    }

    /**
     * How long to wait at most: buffers that return, or room in the engine's queue, end no wait.
     */
    long limit(long timeoutNs) {
        return receives.missing() > 0 && !broken || !ring.isEmpty() || endings.isAnyWaiting()
                ? Math.min(timeoutNs, TimeUnit.MILLISECONDS.toNanos(1))
                : timeoutNs;
    }
}
