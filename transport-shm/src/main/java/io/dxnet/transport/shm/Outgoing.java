package io.dxnet.transport.shm;

import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.SendLock;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import java.io.IOException;

/**
 * The direction from this node: copies committed bytes of the outgoing ring buffer into the shared
 * ring, on the thread that holds the send lock: the agent, or an application thread in send by
 * caller. The agent reads confirmed steps and signals of the other node from the same memory.
 */
final class Outgoing extends SendBatcher.Stream {
    /** The most bytes that are published at once: the receiver begins to read them meanwhile. */
    private static final int WRITE_BYTES_MAX = 64 << 10;
    /** The most bytes of one turn; after it, other connections have theirs. */
    private static final int TURN_BYTES_MAX = 1 << 20;

    private final ShmConnection owner;
    private final Connection connection; // the owner's
    private final OutgoingRingBuffer ring;
    private final RingFile file;
    private final RingWriter writer;
    private final SideChannel channel;
    private final SendLock lock = new SendLock();
    // The shared ring was full: set by the holder, cleared by the agent while it is the holder. As
    // long as it is set, the agent sends what is committed, when there is room.
    private volatile boolean blocked;
    private volatile boolean broken; // the holder, with blocked: nothing is written any more

    Outgoing(ShmConnection owner, SideChannel channel, RingFile file) {
        this.owner = owner;
        this.connection = owner.connection();
        this.ring = connection.ring();
        this.channel = channel;
        this.file = file;
        this.writer = new RingWriter(file.memory(), file.capacity());
    }

    SideChannel channel() {
        return channel;
    }

    RingFile file() {
        return file;
    }

    /** Returns whether the agent will send what is committed. Any thread. */
    boolean isAttended() {
        return isWatched() || blocked;
    }

    @Override
    protected OutgoingRingBuffer ring() {
        return ring;
    }

    @Override
    protected boolean isOver() {
        return lock.isSealed() || broken;
    }

    /** Send by caller. Any thread; never waits. Returns whether anything was sent. */
    boolean sendByCaller() {
        return !blocked && send(false);
    }

    @Override
    protected boolean sendByAgent() {
        return send(true);
    }

    private boolean send(boolean agent) {
        boolean sent = false;
        int left = TURN_BYTES_MAX;
        // A thread that fails to acquire the lock leaves its bytes to the holder, which checks the
        // ring after its release.
        while (!isOver() && lock.tryAcquire()) {
            int bytes;
            boolean full;
            try {
                if (agent) {
                    blocked = broken;
                }
                bytes = write(left);
                full = blocked;
            } finally {
                lock.release();
            }
            sent |= bytes > 0;
            left -= bytes;
            if (full) {
                if (!agent) {
                    owner.post(ShmConnection.WRITE); // only the agent waits for room
                }
                break;
            }
            if (ring.readable() <= 0) {
                break;
            }
            if (left <= 0) {
                owner.post(ShmConnection.WRITE);
                break;
            }
        }
        return sent;
    }

    /** The holder of the lock. */
    private int write(int bytesMax) {
        int total = 0;
        try {
            while (total < bytesMax) {
                int bytes = Math.min(ring.readableContiguous(), WRITE_BYTES_MAX);
                if (bytes == 0) {
                    break;
                }
                int written = writer.write(ring.segment(), ring.offset(ring.postedPosition()), bytes);
                ring.post(written);
                ring.confirm(written);
                total += written;
                if (written < bytes) {
                    blocked = true;
                    break;
                }
            }
            if (total > 0 && writer.receiverSleeps()) {
                channel.wakePeer();
            }
        } catch (IOException e) {
            broken(Channels.describe(e));
        } catch (InternalError e) {
            if (!file.isCutOff()) {
                throw e;
            }
            broken(ShmConnection.CUT_OFF);
        }
        return total;
    }

    private void broken(String detail) {
        broken = true;
        blocked = true; // no thread tries again
        owner.fail(detail);
    }

    // ---------------------------------------------------------------- the agent

    /** Returns whether {@link #poll} would find something. */
    boolean hasWork() {
        return !broken && (writer.hasFlowControl() || blocked && writer.hasRoom());
    }

    /**
     * Passes on confirmed steps and signals, and sends what had no room.
     *
     * @return an amount of work
     * @throws IOException when the other node wrote what no node writes
     */
    int poll() throws IOException {
        if (broken) {
            return 0;
        }
        int work = 0;
        int steps = writer.takeSteps();
        if (steps > 0) {
            connection.flowControlReceived(steps);
            work++;
        }
        int signals = writer.takeSignals();
        if (signals != 0) {
            connection.signalsReceived(signals);
            work++;
        }
        if (blocked && writer.hasRoom() && sendByAgent()) {
            work++;
        }
        return work;
    }

    void announceSleep() {
        writer.announceSleep();
    }

    void awake() {
        writer.awake();
    }

    /** Uses the shared memory no more. */
    void abandon() {
        broken = true;
        blocked = true;
    }

    /**
     * Sends what is left, then ends the stream. In an orderly close, again and again until it
     * returns true.
     *
     * @return whether the other node has hung up too
     */
    boolean finishSending() {
        if (!lock.isSealed()) {
            sendByAgent();
            if (!broken && ring.readable() > 0) {
                return false;
            }
            lock.seal();
        }
        if (lock.isHeld()) {
            return false;
        }
        channel.shutDown();
        return channel.hasEnded();
    }

    /** Ends the use of the ring: at once, or with the holder's release. Any thread. */
    void seal() {
        lock.seal();
    }

    /** Frees channel and memory. */
    void close() {
        lock.seal();
        lock.awaitRelease();
        channel.close();
        file.close();
    }
}
