package io.dxnet.transport.shm;

import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.IncomingDirection;
import io.dxnet.transport.memory.Faults;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The direction to this node: copies what is in the shared ring into pooled buffers; flow-control
 * data travels back through the same memory. The agent only.
 */
final class Incoming extends IncomingDirection {
    /** The size of buffer that one copy is for: it stays in the cache until it is handled. */
    private static final int BUFFER_BYTES = 64 << 10;

    private final Connection connection;
    private final RingFile file;
    private final RingReader reader;
    private final SideChannel channel;
    private boolean discarding; // what comes is not handled
    private boolean left; // the shared memory is used no more

    Incoming(ShmConnection owner, TransportContext context, SideChannel channel, RingFile file) {
        super(owner, context);
        this.connection = owner.connection();
        this.channel = channel;
        this.file = file;
        this.reader = new RingReader(file.memory(), file.capacity());
    }

    SideChannel channel() {
        return channel;
    }

    boolean isCutOff() {
        return file.isCutOff();
    }

    /** Returns whether {@link #poll} would find something that it did not find before. */
    boolean hasWork() {
        return !left && !isStalled() && reader.hasData();
    }

    /**
     * Reads one buffer of what is there; what is left is for the next turn, after other
     * connections'.
     *
     * @return an amount of work
     * @throws IOException when the other node wrote what no node writes
     */
    int poll() throws IOException {
        if (left || isStalled() && !resume()) {
            return 0;
        }
        int available = reader.available();
        if (available == 0) {
            return 0;
        }
        if (discarding) {
            reader.skip(available);
        } else {
            IncomingBuffer buffer = fill(available);
            if (buffer == null) {
                return 0;
            }
            offer(buffer);
        }
        // Where the sender waits for room, it is worth waking up for half of the ring.
        if (reader.available() <= file.capacity() / 2) {
            wakeSender();
        }
        return 1;
    }

    private IncomingBuffer fill(int available) {
        IncomingBuffer buffer = acquire(Math.min(available, BUFFER_BYTES));
        if (buffer == null) {
            return null;
        }
        int bytes = Math.min(available, buffer.fillMax());
        boolean filled = false;
        try {
            reader.read(buffer.segment(), bytes);
            buffer.length(bytes);
            filled = true;
        } finally {
            if (!filled) {
                buffer.giveBack();
            }
        }
        return buffer;
    }

    @Override
    protected boolean retry() throws IOException {
        poll();
        return !isStalled();
    }

    private void wakeSender() throws IOException {
        if (!reader.senderSleeps()) {
            return;
        }
        try {
            channel.wakePeer();
        } catch (InternalError e) {
            throw e; // of memory that is cut off, perhaps another connection's: the agent ends that
        } catch (RuntimeException | Error e) {
            owner.fail(ShmConnection.INTERRUPTED); // the other node may sleep, though there is room
            throw e;
        }
    }

    /**
     * Sends confirmed steps and signals, all that there are.
     *
     * @throws IOException when the channel is broken
     */
    void sendFlowControl() throws IOException {
        if (left) {
            return;
        }
        Faults.raise();
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
        if (!left && !isStalled()) {
            reader.announceSleep();
        }
    }

    void awake() {
        if (!left) {
            reader.awake();
        }
    }

    @Override
    protected boolean hasEnded() {
        return left || channel.hasEnded() && !reader.hasData();
    }

    /** Uses the shared memory no more. */
    void leave() {
        left = true;
    }

    @Override
    protected void quiet() {
        leave();
        drop();
    }

    @Override
    protected boolean finish(ByteBuffer scratch) throws IOException {
        discarding = true;
        drop();
        poll();
        sendFlowControl();
        channel.shutDown(); // from there the other node learns that this one has closed
        return channel.drain(scratch);
    }

    @Override
    protected void close() {
        quiet();
        channel.close();
        file.close();
    }
}
