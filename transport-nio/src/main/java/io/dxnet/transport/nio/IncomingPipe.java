package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * The direction to this node (DXNet §VIII-B): reads the incoming channel into pooled buffers and
 * offers them to the engine; flow-control bytes use the channel's other direction.
 *
 * <p>A buffer that the engine refuses is kept, and nothing more is read until it is accepted: the
 * kernel's buffers fill up, then the sender stops. The same when the pool has no buffer.
 *
 * <p>The selector agent only.
 */
final class IncomingPipe implements Pipe {
    private static final int SMALL = DXNetConfig.SMALL_BUFFER_BYTES;
    private static final int MEDIUM = DXNetConfig.MEDIUM_BUFFER_BYTES;
    private static final int LARGE = DXNetConfig.LARGE_BUFFER_BYTES;
    /** So many small reads in a row make the next buffer smaller. */
    private static final int SMALL_READS = 4;
    /** Bytes of confirmations that are sent in one turn; each stands for up to 255 steps. */
    private static final int FC_BYTES_MAX = 16;

    private static final int FC_STEPS_MAX = 255;
    /** Announces that the next byte is a set of signals: no confirmation of 0 steps is sent. */
    static final byte FC_SIGNALS = 0;

    private static final int NONE = -1;

    private final NioConnection owner;
    private final PipeChannel channel;
    private final ByteStream socket; // the channel's
    private final TransportContext context;
    private IncomingBuffer kept; // filled, not accepted by the engine yet
    private boolean stalled; // nothing is read: the engine refused kept, or the pool had no buffer
    private String end; // why nothing more will come
    private boolean quiet; // the data is not needed any more
    private boolean closed;
    private boolean shutDown; // no flow control any more
    private int wanted = SMALL;
    private int smallReads;
    private int cut = NONE; // a signal byte whose escape was written

    IncomingPipe(NioConnection owner, ByteStream socket, TransportContext context) {
        this.owner = owner;
        this.socket = socket;
        this.channel = new PipeChannel(socket, SelectionKey.OP_READ);
        this.context = context;
    }

    @Override
    public NioConnection owner() {
        return owner;
    }

    @Override
    public PipeChannel channel() {
        return channel;
    }

    @Override
    public void ready(int operations, ByteBuffer scratch) {
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            writeFlowControl(scratch);
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            read();
        }
    }

    /**
     * Reads one buffer: until it is full or nothing more is there; what is left is for the next
     * turn, after other connections'.
     *
     * @return bytes
     */
    int read() {
        if (stalled || end != null || quiet || kept != null) {
            return 0;
        }
        IncomingBuffer buffer = context.pool().take(owner.connection(), wanted);
        if (buffer == null) {
            stall();
            return 0;
        }
        int filled = fill(buffer);
        if (filled == 0) {
            buffer.giveBack();
        } else {
            buffer.length(filled);
            adapt(filled, buffer.capacity());
            kept = buffer;
            offer();
        }
        if (end != null) {
            channel.operation(SelectionKey.OP_READ, false);
            owner.fail(end);
        } else if (socket.hasBuffered() && !stalled) {
            owner.post(Interest.READ); // the selector knows nothing of what is decrypted
        }
        if (!socket.isFlushed()) {
            channel.operation(SelectionKey.OP_WRITE, true);
        }
        return filled;
    }

    /** Reads what is in this process already. */
    void readBuffered() {
        if (socket.hasBuffered()) {
            read();
        }
    }

    private int fill(IncomingBuffer buffer) {
        ByteBuffer target = buffer.byteBuffer().clear().limit(buffer.fillMax());
        try {
            int left;
            int bytes;
            do {
                left = target.remaining();
                bytes = socket.read(target);
                // Less than there is room for: that was all, no need to ask the kernel once more.
            } while (bytes > 0 && bytes == left && target.hasRemaining());
            if (bytes < 0) {
                end = "the other node closed the connection";
            }
        } catch (IOException e) {
            end = "reading failed: " + Channels.describe(e);
        }
        return target.position();
    }

    /**
     * The paper uses the largest buffer that there is (worst fit), because the number of bytes
     * ready is unknown. It is not unpredictable, though: a stream that filled the last buffer will
     * fill a larger one, and a trickle of small messages should not occupy 256 KiB for each. So the
     * next size is learned from the last reads of this connection.
     */
    private void adapt(int filled, int capacity) {
        if (filled == capacity) {
            smallReads = 0;
            wanted = capacity < MEDIUM ? MEDIUM : LARGE;
        } else if (wanted > SMALL && filled <= (wanted == LARGE ? MEDIUM : SMALL) / 2) {
            if (++smallReads == SMALL_READS) {
                smallReads = 0;
                wanted = wanted == LARGE ? MEDIUM : SMALL;
            }
        } else {
            smallReads = 0;
        }
    }

    private void offer() {
        if (context.offer(owner.connection(), kept)) {
            kept = null;
        } else {
            stall();
        }
    }

    private void stall() {
        stalled = true;
        channel.operation(SelectionKey.OP_READ, false);
        owner.attend();
    }

    /**
     * Tries again what the engine or the pool did not allow.
     *
     * @return whether reading continues
     */
    boolean retry() {
        if (kept != null) {
            if (!context.offer(owner.connection(), kept)) {
                return false;
            }
            kept = null;
        }
        stalled = false;
        if (end == null && !quiet) {
            channel.operation(SelectionKey.OP_READ, true);
            read(); // may stall again: then the pool is still empty
        }
        return !stalled;
    }

    boolean isStalled() {
        return stalled;
    }

    /** Nothing more will come, and all that came was handed over. */
    boolean isDrained() {
        return end != null && kept == null;
    }

    /**
     * Sends flow-control bytes and signals, as many as there are and the channel accepts; none
     * before the channel is registered, because the reply to the hello is sent first.
     *
     * @param scratch a direct buffer
     * @return whether nothing is left
     */
    boolean writeFlowControl(ByteBuffer scratch) {
        if (!channel.isRegistered()) {
            return false;
        }
        boolean all = false;
        try {
            all = closed || socket.flush() && writeAll(scratch.clear()) && socket.isFlushed();
        } catch (IOException e) {
            owner.fail("writing flow-control data failed: " + Channels.describe(e));
        }
        channel.operation(SelectionKey.OP_WRITE, !all && owner.failure() == null);
        return all;
    }

    /**
     * Writes, in one call, the rest of what a full channel cut, the confirmations and the signals.
     *
     * @param scratch empty
     * @return whether nothing is left
     */
    boolean writeAll(ByteBuffer scratch) throws IOException {
        if (cut != NONE) {
            scratch.put((byte) cut);
        }
        int rest = scratch.position();
        int steps = owner.connection().takeFlowControl(FC_BYTES_MAX * FC_STEPS_MAX);
        for (int left = steps; left > 0; left -= FC_STEPS_MAX) {
            scratch.put((byte) Math.min(left, FC_STEPS_MAX));
        }
        int confirmed = scratch.position();
        int signals = owner.connection().takeSignals();
        if (signals != 0) {
            scratch.put(FC_SIGNALS).put((byte) signals);
        }
        int bytes = scratch.position();
        int sent = 0;
        try {
            sent = bytes == 0 ? 0 : socket.write(scratch.flip());
        } finally {
            int left = steps - Math.clamp(sent - rest, 0, confirmed - rest) * FC_STEPS_MAX;
            if (left > 0) {
                owner.connection().returnFlowControl(left);
            }
            if (sent >= rest) {
                cut = NONE;
            }
            if (signals != 0 && sent == bytes - 1) {
                cut = signals;
            } else if (signals != 0 && sent < bytes) {
                owner.connection().returnSignals(signals);
            }
        }
        return sent == bytes && confirmed - rest < FC_BYTES_MAX; // else the next turn
    }

    @Override
    public void quiet() {
        channel.operation(SelectionKey.OP_READ | SelectionKey.OP_WRITE, false);
        forget();
    }

    private void forget() {
        quiet = true;
        stalled = false;
        if (kept != null) {
            kept.giveBack();
            kept = null;
        }
    }

    /**
     * From now on, what comes is read and forgotten: both nodes have handled all that they want.
     */
    void startDiscarding() {
        forget();
        channel.operation(SelectionKey.OP_READ, end == null);
        if (end != null) {
            close();
        }
    }

    /**
     * Sends the last signals, then ends this channel's flow control: from there the other node
     * learns that this one has closed.
     *
     * @param scratch a direct buffer
     */
    void finishFlowControl(ByteBuffer scratch) {
        if (closed || shutDown || !writeFlowControl(scratch)) {
            return;
        }
        try {
            shutDown = socket.endOutput();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public boolean hasBuffered() {
        return !closed && socket.hasBuffered();
    }

    @Override
    public void discard(ByteBuffer scratch) {
        if (!closed && channel.discard(scratch)) {
            close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Frees channel and buffer. */
    void close() {
        closed = true;
        forget();
        channel.close();
    }
}
