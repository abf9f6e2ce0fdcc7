package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.IncomingDirection;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * The direction to this node (DXNet §VIII-B): reads the incoming channel; flow-control bytes use
 * the channel's other direction. The selector agent only.
 */
final class IncomingPipe extends IncomingDirection implements Pipe {
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

    private final NioConnection connection;
    private final PipeChannel channel;
    private final ByteStream socket; // the channel's
    private String end; // why nothing more will come
    private boolean quiet; // the data is not needed any more
    private boolean closed;
    private boolean shutDown; // no flow control any more
    private int wanted = SMALL;
    private int smallReads;
    private boolean interrupted; // what TLS has of the flow-control bytes is not known
    private int cut = NONE; // a signal byte whose escape was written

    IncomingPipe(NioConnection connection, ByteStream socket, TransportContext context) {
        super(connection, context);
        this.connection = connection;
        this.socket = socket;
        this.channel = new PipeChannel(socket, SelectionKey.OP_READ);
    }

    @Override
    public NioConnection owner() {
        return connection;
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
        if (isStalled() || end != null || quiet) {
            return 0;
        }
        IncomingBuffer buffer = acquire(wanted);
        if (buffer == null) {
            return 0;
        }
        int filled = fill(buffer);
        if (filled == 0) {
            buffer.giveBack();
        } else {
            buffer.length(filled);
            adapt(filled, buffer.capacity());
            offer(buffer);
        }
        if (end != null) {
            channel.operation(SelectionKey.OP_READ, false);
            owner.fail(end);
        } else if (socket.hasBuffered() && !isStalled()) {
            owner.post(Interest.READ); // the selector knows nothing of what is decrypted
        }
        if (!socket.isFlushed()) {
            channel.operation(SelectionKey.OP_WRITE, true);
        }
        return filled;
    }

    @Override
    public void readBuffered(ByteBuffer scratch) {
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
            end = Channels.failed("reading failed", e);
        } catch (RuntimeException | Error e) {
            end = READ_INTERRUPTED;
            buffer.giveBack();
            channel.operation(SelectionKey.OP_READ, false);
            owner.fail(end);
            throw e;
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

    @Override
    protected void stalled(boolean isStalled) {
        channel.operation(SelectionKey.OP_READ, !isStalled && end == null && !quiet);
    }

    @Override
    protected boolean retry() {
        if (!resume()) {
            return false;
        }
        read(); // may stall again: then the pool is still empty
        return !isStalled();
    }

    @Override
    protected boolean hasEnded() {
        return end != null;
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
            all = closed || interrupted || socket.flush() && writeAll(scratch.clear()) && socket.isFlushed();
        } catch (IOException e) {
            owner.fail(Channels.failed("writing flow-control data failed", e));
        } catch (RuntimeException | Error e) {
            interrupted = true; // else the steps and signals that TLS has are encrypted again
            owner.fail(NioConnection.INTERRUPTED);
            throw e;
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
    protected void quiet() {
        quiet = true;
        channel.operation(SelectionKey.OP_READ | SelectionKey.OP_WRITE, false);
        drop();
    }

    @Override
    protected boolean finish(ByteBuffer scratch) {
        quiet = true;
        drop();
        channel.operation(SelectionKey.OP_READ, end == null);
        if (end != null) {
            close();
        }
        if (!closed && socket.hasBuffered()) {
            discard(scratch);
        }
        if (!closed && !shutDown && writeFlowControl(scratch)) {
            endFlowControl();
        }
        return closed;
    }

    /** From its end, the other node learns that this one has closed. */
    private void endFlowControl() {
        try {
            shutDown = socket.endOutput();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void discard(ByteBuffer scratch) {
        if (!closed && channel.discard(scratch)) {
            close();
        }
    }

    @Override
    protected void close() {
        closed = true;
        quiet = true;
        drop();
        channel.close();
    }
}
