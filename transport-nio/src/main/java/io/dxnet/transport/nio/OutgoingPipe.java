package io.dxnet.transport.nio;

import io.dxnet.transport.connection.SendLock;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * The direction from this node (DXNet §VIII-A): writes committed bytes of the ring to the outgoing
 * channel straight from native memory; flow-control bytes of the other node come in on the
 * channel's other direction.
 *
 * <p>The consumer's side of the ring belongs to the holder of the send lock: the selector agent, or
 * an application thread in send by caller. The last user of the ring, the sealing thread or the
 * holder, ends the connection's use of it, exactly once.
 */
final class OutgoingPipe extends SendBatcher.Stream implements Pipe {
    /**
     * The most bytes of one write: a larger one only keeps the thread longer away from
     * other connections.
     */
    static final int WRITE_BYTES_MAX = 256 << 10;
    /** The most bytes of one turn; after it, other connections have theirs. */
    static final int TURN_BYTES_MAX = 4 * WRITE_BYTES_MAX;
    /** Reads of flow-control bytes in one turn. */
    private static final int FC_READS_MAX = 4;

    private final NioConnection owner;
    private final PipeChannel channel;
    private final ByteStream socket; // the channel's
    private final OutgoingRingBuffer ring;
    private final ByteBuffer view; // position and limit: the holder of the lock
    private final SendLock lock = new SendLock();
    // The kernel accepted less than all: set by the holder, cleared by the selector agent while it
    // is the holder. As long as it is set, the selector agent sends what is committed, because it
    // waits for OP_WRITE, or is about to.
    private volatile boolean blocked;
    private volatile boolean failed; // the holder, with blocked: nothing can be written any more
    private boolean ended; // selector agent: the other node will not send flow-control bytes any more
    private boolean shutDown; // selector agent
    private boolean signalsNext; // selector agent: the next flow-control byte is a set of signals

    OutgoingPipe(NioConnection owner, ByteStream socket) {
        this.owner = owner;
        this.socket = socket;
        this.channel = new PipeChannel(socket, 0);
        this.ring = owner.connection().ring();
        this.view = ring.segment().asByteBuffer();
    }

    @Override
    public NioConnection owner() {
        return owner;
    }

    @Override
    public PipeChannel channel() {
        return channel;
    }

    /** Returns whether the selector agent will send what is committed. Any thread. */
    boolean attended() {
        return isWatched() || blocked;
    }

    @Override
    protected OutgoingRingBuffer ring() {
        return ring;
    }

    @Override
    protected boolean isOver() {
        return lock.isSealed() || failed;
    }

    /**
     * Send by caller. Any thread; never waits.
     *
     * @return whether anything was sent
     */
    boolean sendByCaller() {
        return !blocked && send(false);
    }

    /**
     * The selector agent's turn: on a WRITE interest, or when the channel became writable.
     *
     * @return whether anything was sent
     */
    @Override
    protected boolean sendByAgent() {
        boolean sent = send(true);
        channel.operation(SelectionKey.OP_WRITE, blocked && !failed);
        return sent;
    }

    private boolean send(boolean agent) {
        boolean sent = false;
        int left = TURN_BYTES_MAX;
        for (; ; ) {
            if (!lock.tryAcquire()) {
                return sent; // the holder sends it: it checks the ring after its release
            }
            boolean full;
            long posted;
            try {
                if (agent && !failed) {
                    blocked = false;
                }
                int bytes = failed ? 0 : write(left);
                sent |= bytes > 0;
                left -= bytes;
                full = blocked;
                posted = ring.postedPosition();
            } finally {
                unlock();
            }
            if (full) {
                if (!agent && !lock.isSealed()) {
                    owner.post(Interest.WRITE); // only the selector agent can wait for the channel
                }
                return sent;
            }
            if (ring.committedPosition() == posted) {
                return sent;
            }
            if (left <= 0) {
                owner.post(Interest.WRITE);
                return sent;
            }
        }
    }

    /** The holder of the lock only. */
    private int write(int bytesMax) {
        int total = 0;
        while (total < bytesMax && flush()) {
            // A region across the end of the memory needs two writes: once in a ring's length, and
            // unlike a gathering write, without a list of buffers that the JDK would have to walk.
            int bytes = Math.min(ring.readableContiguous(), WRITE_BYTES_MAX);
            if (bytes == 0) {
                break;
            }
            int offset = ring.offset(ring.postedPosition());
            view.limit(offset + bytes).position(offset);
            int written;
            try {
                written = socket.write(view);
            } catch (IOException e) {
                failed(e);
                break;
            }
            if (written > 0) {
                ring.post(written);
                ring.confirm(written); // the kernel, or TLS, has a copy
                total += written;
            }
            if (written < bytes) {
                blocked = true;
                break;
            }
        }
        if (!failed) {
            flush(); // the channel may be full of what TLS has encrypted, though the ring is empty
        }
        return total;
    }

    /** Writes what TLS has encrypted; false: the channel is full. The holder of the lock only. */
    private boolean flush() {
        try {
            if (socket.flush()) {
                return true;
            }
            blocked = true;
        } catch (IOException e) {
            failed(e);
        }
        return false;
    }

    private void failed(IOException e) {
        failed = true;
        blocked = true; // no thread tries again
        owner.fail("writing failed: " + Channels.describe(e));
    }

    /**
     * Sends what is left, then ends the stream. Selector agent, in an orderly close, again and
     * again until it returns true.
     *
     * @return whether it is done
     */
    boolean finishSending() {
        if (shutDown) {
            return true;
        }
        if (lock.tryAcquire()) {
            boolean done;
            try {
                if (!failed) {
                    blocked = false;
                    write(TURN_BYTES_MAX);
                }
                done = failed || ring.readable() == 0 && socket.isFlushed();
                if (done) {
                    lock.seal();
                }
            } finally {
                unlock();
            }
            channel.operation(SelectionKey.OP_WRITE, !done);
        }
        if (!lock.isSealed() || lock.isHeld()) {
            return false;
        }
        try {
            shutDown = socket.endOutput();
        } catch (IOException e) {
            shutDown = true; // it is closed, or the other node is gone
        }
        return shutDown;
    }

    private void unlock() {
        if (lock.release()) {
            owner.release();
        }
    }

    /**
     * Ends the use of the ring: at once, or with the holder's release. Any thread, any number
     * of times.
     */
    void seal() {
        if (lock.seal()) {
            owner.release();
        }
    }

    // ---------------------------------------------------------------- selector agent

    @Override
    public void ready(int operations, ByteBuffer scratch) throws IOException {
        if ((operations & SelectionKey.OP_READ) != 0) {
            readFlowControl(scratch);
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            sendByAgent();
        }
    }

    void readFlowControlOn() {
        channel.operation(SelectionKey.OP_READ, !ended);
    }

    @Override
    public void quiet() {
        ended = true;
        channel.operation(SelectionKey.OP_READ | SelectionKey.OP_WRITE, false);
    }

    /**
     * Reads flow-control bytes for the connection: a few times the buffer at most, what is left is
     * for the next turn.
     *
     * @param scratch a direct buffer
     */
    void readFlowControl(ByteBuffer scratch) throws IOException {
        int steps = 0; // at most FC_READS_MAX times the buffer times 255: no overflow
        int signals = 0;
        int reads = 0;
        int bytes = 0;
        IOException cut = null; // after what was read before
        do {
            try {
                bytes = socket.read(scratch.clear());
            } catch (IOException e) {
                cut = e;
                break;
            }
            for (int i = 0; i < bytes; i++) {
                int value = scratch.get(i) & 0xFF;
                if (signalsNext) {
                    signalsNext = false;
                    signals |= value;
                } else if (value == IncomingPipe.FC_SIGNALS) {
                    signalsNext = true;
                } else {
                    steps += value;
                }
            }
        } while ((bytes == scratch.capacity() || socket.hasBuffered()) && ++reads < FC_READS_MAX);
        if (steps > 0) {
            owner.connection().flowControlReceived(steps);
        }
        if (signals != 0) {
            owner.connection().signalsReceived(signals);
        }
        if (cut != null) {
            end();
            throw cut;
        }
        if (bytes < 0) {
            end();
            owner.fail("the other node closed the connection");
        } else if (socket.hasBuffered()) {
            owner.post(Interest.READ_FC); // the selector knows nothing of what is decrypted
        }
        if (!socket.isFlushed()) {
            owner.post(Interest.WRITE);
        }
    }

    @Override
    public boolean hasBuffered() {
        return !ended && socket.hasBuffered();
    }

    @Override
    public void discard(ByteBuffer scratch) {
        if (!ended && channel.discard(scratch)) {
            end();
        }
    }

    private void end() {
        ended = true;
        channel.operation(SelectionKey.OP_READ, false);
    }

    boolean hasEnded() {
        return ended;
    }

    /** Frees the channel. */
    void close() {
        ended = true;
        channel.close();
    }
}
