package io.dxnet.transport.shm;

import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.OutgoingDirection;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.memory.Faults;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The direction from this node: copies committed bytes of the outgoing ring buffer into the shared
 * ring, on the thread that holds the send lock: the agent, or an application thread in send by
 * caller. The agent reads confirmed steps and signals of the other node from the same memory.
 */
final class Outgoing extends OutgoingDirection {
    /** The most bytes that are published at once: the receiver begins to read them meanwhile. */
    private static final int WRITE_BYTES_MAX = 64 << 10;

    private final Connection connection; // the owner's
    private final RingFile file;
    private final RingWriter writer;
    private final SideChannel channel;

    Outgoing(ShmConnection owner, SideChannel channel, RingFile file) {
        super(owner);
        this.connection = owner.connection();
        this.channel = channel;
        this.file = file;
        this.writer = new RingWriter(file.memory(), file.capacity());
    }

    SideChannel channel() {
        return channel;
    }

    /** {@return whether this is its memory} */
    boolean isOf(RingFile other) {
        return file == other;
    }

    boolean isCutOff() {
        return file.isCutOff();
    }

    @Override
    protected int write(int bytesMax) {
        Faults.raise(); // of another file
        try {
            return copy(bytesMax);
        } catch (IOException e) {
            broken(Channels.reason(e));
        } catch (InternalError e) {
            broken(file.isCutOff() ? ShmConnection.CUT_OFF : e.toString());
        } catch (RuntimeException | Error e) {
            broken(ShmConnection.INTERRUPTED); // the other node may sleep, though there is data
            throw e;
        }
        return 0;
    }

    private int copy(int bytesMax) throws IOException {
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
                    block();
                    break;
                }
            }
            if (total > 0 && writer.receiverSleeps()) {
                channel.wakePeer();
            }
        } finally {
            Faults.raise(); // of this thread, which may be the application's; instead of a wrong value's error
        }
        return total;
    }

    // ---------------------------------------------------------------- the agent

    /** Returns whether {@link #poll} would find something. */
    boolean hasWork() {
        return !isBroken() && (writer.hasFlowControl() || isFull() && writer.hasRoom());
    }

    /**
     * Passes on confirmed steps and signals, and sends what had no room.
     *
     * @return an amount of work
     * @throws IOException when the other node wrote what no node writes
     */
    int poll() throws IOException {
        if (isBroken()) {
            return 0;
        }
        int work = 0;
        if (writer.hasFlowControl()) {
            Faults.raise();
            int steps = writer.takeSteps();
            int signals = writer.takeSignals();
            Faults.raise();
            if (steps > 0) {
                connection.flowControlReceived(steps);
            }
            if (signals != 0) {
                connection.signalsReceived(signals);
            }
            work++;
        }
        if (isFull() && writer.hasRoom() && sendMore()) {
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

    @Override
    protected boolean hasEnded() {
        return isBroken() || channel.hasEnded();
    }

    @Override
    protected void quiet() {
        abandon();
    }

    @Override
    protected boolean finish(ByteBuffer scratch) {
        if (finishRing()) {
            channel.shutDown();
        }
        return channel.drain(scratch) && channel.isShutDown();
    }

    @Override
    protected void close() {
        awaitRelease();
        channel.close();
        file.close();
    }
}
