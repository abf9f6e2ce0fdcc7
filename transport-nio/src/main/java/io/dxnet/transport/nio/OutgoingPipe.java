package io.dxnet.transport.nio;

import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.StreamWatch;
import io.dxnet.transport.handshake.Channels;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * The direction from this node (DXNet §VIII-A): takes committed bytes out of the ring and writes them to the outgoing channel
 * straight from native memory; flow-control bytes of the other node come in on the channel's other direction.
 *
 * <p>The consumer's side of the ring belongs to whoever holds the lock word: the selector agent, or an application thread in
 * send by caller. Nobody waits for it: a thread that does not get it leaves its data to the holder, which looks at the ring
 * again after it let go. Sealing sets a bit in the same word: after that nobody gets the lock, and whoever is last, the
 * sealing thread or the holder, tells the connection, exactly once.
 */
final class OutgoingPipe extends StreamWatch.Stream {
    /** The most that one write gives to the kernel: a larger one only keeps the thread longer away from others. */
    static final int WRITE_BYTES_MAX = 256 << 10;
    /** The most that one turn sends; after it, others' turn. */
    static final int TURN_BYTES_MAX = 4 * WRITE_BYTES_MAX;
    /** Reads of flow-control bytes in one turn. */
    private static final int FC_READS_MAX = 4;

    private static final int HELD = 1;
    private static final int SEALED = 2;
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(OutgoingPipe.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final NioConnection owner;
    private final SocketChannel channel;
    private final OutgoingRingBuffer ring;
    private final ByteBuffer view; // position and limit: the holder of the lock
    private volatile int lock; // HELD: the holder; SEALED: any thread, never cleared
    // The kernel took less than all: set by the holder, cleared by the selector agent while it is the holder. As long
    // as it is
    // set, data that is committed is the selector agent's to send, because it waits, or is about to, for OP_WRITE.
    private volatile boolean blocked;
    private volatile boolean failed; // the holder, with blocked: nothing can be written any more
    private SelectionKey key; // selector agent
    private int
            operations; // selector agent: the key's interests, to change them only when they change; before the key too
    private boolean ended; // selector agent: the other node will not send flow-control bytes any more
    private boolean shutDown; // selector agent
    private boolean signalsNext; // selector agent: the next flow-control byte is a set of signals

    OutgoingPipe(NioConnection owner, SocketChannel channel) {
        this.owner = owner;
        this.channel = channel;
        this.ring = owner.connection().ring();
        this.view = ring.segment().asByteBuffer();
    }

    NioConnection owner() {
        return owner;
    }

    /** Any thread: true when the selector agent is going to send whatever is committed. */
    boolean attended() {
        return isWatched() || blocked;
    }

    @Override
    protected OutgoingRingBuffer ring() {
        return ring;
    }

    @Override
    protected boolean isOver() {
        return isSealed() || failed;
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
        operation(SelectionKey.OP_WRITE, blocked && !failed);
        return sent;
    }

    private boolean send(boolean agent) {
        boolean sent = false;
        int left = TURN_BYTES_MAX;
        for (; ; ) {
            if (!tryLock()) {
                return sent; // the holder sends it: it looks at the ring after it let go
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
                if (!agent && !isSealed()) {
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
        while (total < bytesMax) {
            // A region that goes over the end of the memory takes two writes: once in a ring's length, and unlike a
            // gathering write, without a list of buffers that the JDK would have to walk.
            int bytes = Math.min(ring.readableContiguous(), WRITE_BYTES_MAX);
            if (bytes == 0) {
                break;
            }
            int offset = ring.offset(ring.postedPosition());
            view.limit(offset + bytes).position(offset);
            int written;
            try {
                written = channel.write(view);
            } catch (IOException e) {
                failed = true;
                blocked = true; // nobody tries again
                owner.fail("writing failed: " + Channels.describe(e));
                break;
            }
            if (written > 0) {
                ring.post(written);
                ring.confirm(written); // the kernel has a copy
                total += written;
            }
            if (written < bytes) {
                blocked = true;
                break;
            }
        }
        return total;
    }

    /**
     * Sends what is left, then says that nothing more will come. Selector agent, in an orderly close, again until it is true.
     *
     * @return whether it is done
     */
    boolean finishSending() throws IOException {
        if (shutDown) {
            return true;
        }
        if (tryLock()) {
            boolean done;
            try {
                if (!failed) {
                    blocked = false;
                    write(TURN_BYTES_MAX);
                }
                done = failed || ring.readable() == 0;
                if (done) {
                    LOCK.getAndBitwiseOr(this, SEALED);
                }
            } finally {
                unlock();
            }
            operation(SelectionKey.OP_WRITE, !done);
        }
        if (!isSealed() || (lock & HELD) != 0) {
            return false;
        }
        shutDown = true;
        if (channel.isOpen()) {
            channel.shutdownOutput();
        }
        return true;
    }

    private boolean tryLock() {
        return LOCK.compareAndSet(this, 0, HELD);
    }

    private void unlock() {
        if (((int) LOCK.getAndBitwiseAnd(this, ~HELD) & SEALED) != 0) {
            owner.ringReleased();
        }
    }

    /** Ends the use of the ring: at once, or when the thread that holds it lets go. Any thread, any number of times. */
    void seal() {
        if ((int) LOCK.getAndBitwiseOr(this, SEALED) == 0) {
            owner.ringReleased();
        }
    }

    private boolean isSealed() {
        return (lock & SEALED) != 0;
    }

    // ---------------------------------------------------------------- selector agent

    /** Registers the channel. */
    void register(Selector selector) throws ClosedChannelException {
        if (key == null) {
            key = channel.register(selector, operations, this);
        }
    }

    void readFlowControlOn() {
        operation(SelectionKey.OP_READ, !ended);
    }

    /** Waits for nothing any more. */
    void quiet() {
        ended = true;
        operation(SelectionKey.OP_READ | SelectionKey.OP_WRITE, false);
    }

    private void operation(int operation, boolean on) {
        int wanted = on ? operations | operation : operations & ~operation;
        if (wanted != operations) {
            operations = wanted;
            if (key != null && key.isValid()) {
                key.interestOps(wanted);
            }
        }
    }

    /**
     * Reads flow-control bytes and tells the connection: a few times the buffer at most, what is left is for the next turn.
     *
     * @param scratch a direct buffer
     */
    void readFlowControl(ByteBuffer scratch) throws IOException {
        int steps = 0; // at most FC_READS_MAX times the buffer times 255: no overflow
        int signals = 0;
        int reads = 0;
        int bytes;
        do {
            bytes = channel.read(scratch.clear());
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
        } while (bytes == scratch.capacity() && ++reads < FC_READS_MAX);
        if (steps > 0) {
            owner.connection().flowControlReceived(steps);
        }
        if (signals != 0) {
            owner.connection().signalsReceived(signals);
        }
        if (bytes < 0) {
            end();
            owner.fail("the other node closed the connection");
        }
    }

    /** Reads and forgets; true when the other node hung up. */
    boolean discard(ByteBuffer scratch) {
        try {
            int bytes = 0;
            for (int i = 0; i < 16 && !ended; i++) {
                bytes = channel.read(scratch.clear());
                if (bytes < 0) {
                    end();
                } else if (bytes < scratch.capacity()) {
                    break;
                }
            }
        } catch (IOException e) {
            end();
        }
        return ended;
    }

    private void end() {
        ended = true;
        operation(SelectionKey.OP_READ, false);
    }

    boolean ended() {
        return ended;
    }

    /** See {@link NioConnection#probe}. Any thread. */
    void probe() {
        KeepAlive.enable(channel);
    }

    /** Frees the channel. */
    void close() {
        ended = true;
        Channels.closeQuietly(channel);
    }
}
