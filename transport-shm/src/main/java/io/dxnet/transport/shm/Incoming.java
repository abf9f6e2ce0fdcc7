package io.dxnet.transport.shm;

import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import java.io.IOException;

/**
 * The direction to this node: copies what is in the shared ring into pooled buffers and offers them
 * to the engine; flow-control data travels back through the same memory.
 *
 * <p>A buffer that the engine refuses is kept, and nothing more is read until it is accepted: the
 * ring fills up, then the sender stops. The same when the pool has no buffer.
 *
 * <p>The agent only.
 */
final class Incoming {
    /** The size of buffer that one copy is for: it stays in the cache until it is handled. */
    private static final int BUFFER_BYTES = 64 << 10;

    private final TransportContext context;
    private final Connection connection;
    private final RingFile file;
    private final RingReader reader;
    private final SideChannel channel;
    private IncomingBuffer kept; // filled, not accepted by the engine yet
    private boolean stalled; // the pool had no buffer
    private boolean discarding; // what comes is not handled
    private boolean broken; // the shared memory is used no more

    Incoming(TransportContext context, Connection connection, SideChannel channel, RingFile file) {
        this.context = context;
        this.connection = connection;
        this.channel = channel;
        this.file = file;
        this.reader = new RingReader(file.memory(), file.capacity());
    }

    SideChannel channel() {
        return channel;
    }

    RingFile file() {
        return file;
    }

    /** Returns whether the engine or the pool accepts nothing for the moment. */
    boolean isStalled() {
        return stalled || kept != null;
    }

    /** Returns whether {@link #poll} would find something that it did not find before. */
    boolean hasWork() {
        return !broken && !isStalled() && reader.hasData();
    }

    /**
     * Reads one buffer of what is there; what is left is for the next turn, after other
     * connections'.
     *
     * @return an amount of work
     * @throws IOException when the other node wrote what no node writes
     */
    int poll() throws IOException {
        if (broken || kept != null && !offer()) {
            return 0;
        }
        stalled = false;
        int available = reader.available();
        if (available == 0) {
            return 0;
        }
        if (discarding) {
            reader.skip(available);
        } else if (!fill(available)) {
            return 0;
        }
        // Where the sender waits for room, it is worth waking up for half of the ring.
        if (reader.available() <= file.capacity() / 2) {
            wakeSender();
        }
        if (kept != null) {
            offer();
        }
        return 1;
    }

    private boolean fill(int available) {
        IncomingBuffer buffer = context.pool().take(connection, Math.min(available, BUFFER_BYTES));
        if (buffer == null) {
            stalled = true;
            return false;
        }
        int bytes = Math.min(available, buffer.fillMax());
        try {
            reader.read(buffer.segment(), bytes);
            buffer.length(bytes);
            kept = buffer;
        } finally {
            if (kept == null) {
                buffer.giveBack();
            }
        }
        return true;
    }

    private boolean offer() {
        if (!context.offer(connection, kept)) {
            return false;
        }
        kept = null;
        return true;
    }

    private void wakeSender() throws IOException {
        if (reader.senderSleeps()) {
            channel.wakePeer();
        }
    }

    /**
     * Sends confirmed steps and signals, all that there are.
     *
     * @throws IOException when the channel is broken
     */
    void sendFlowControl() throws IOException {
        if (broken) {
            return;
        }
        int steps = connection.takeFlowControl(Integer.MAX_VALUE);
        if (steps > 0) {
            reader.confirm(steps);
        }
        int signals = connection.takeSignals();
        if (signals != 0) {
            reader.signal(signals);
        }
        if (steps > 0 || signals != 0) {
            wakeSender();
        }
    }

    void announceSleep() {
        if (!broken && !isStalled()) {
            reader.announceSleep();
        }
    }

    void awake() {
        if (!broken) {
            reader.awake();
        }
    }

    /** Returns whether nothing more will come, and all that came was handed over. */
    boolean isDrained() {
        return kept == null && (broken || channel.hasEnded() && !reader.hasData());
    }

    /** Uses the shared memory no more. */
    void abandon() {
        broken = true;
    }

    /** Forgets what comes from here on, and what the engine did not accept. */
    void discard() {
        discarding = true;
        if (kept != null) {
            kept.giveBack();
            kept = null;
        }
    }

    /**
     * Sends the last signals, then ends this direction's flow control: from there the other node
     * learns that this one has closed.
     *
     * @return whether the other node has hung up too
     * @throws IOException when the channel is broken
     */
    boolean finishFlowControl() throws IOException {
        sendFlowControl();
        channel.shutDown();
        return channel.hasEnded();
    }

    /** Frees channel, buffer and memory. */
    void close() {
        broken = true;
        discard();
        channel.close();
        file.close();
    }
}
