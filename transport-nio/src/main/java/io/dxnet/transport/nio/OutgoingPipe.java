package io.dxnet.transport.nio;

import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.connection.OutgoingDirection;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * The direction from this node (DXNet §VIII-A): writes committed bytes of the ring to the outgoing
 * channel straight from native memory; flow-control bytes of the other node come in on the
 * channel's other direction. The selector agent, but for sending.
 */
final class OutgoingPipe extends OutgoingDirection implements Pipe {
    /**
     * The most bytes of one write: a larger one only keeps the thread longer away from
     * other connections.
     */
    static final int WRITE_BYTES_MAX = 256 << 10;
    /** Reads of flow-control bytes in one turn. */
    private static final int FC_READS_MAX = 4;

    private final NioConnection connection;
    private final PipeChannel channel;
    private final ByteStream socket; // the channel's
    private final ByteBuffer view; // position and limit: the holder of the lock
    // The selector agent:
    private boolean ended; // the other node will not send flow-control bytes any more
    private boolean shutDown;
    private boolean signalsNext; // the next flow-control byte is a set of signals

    OutgoingPipe(NioConnection connection, ByteStream socket) {
        super(connection);
        this.connection = connection;
        this.socket = socket;
        this.channel = new PipeChannel(socket, SelectionKey.OP_READ);
        this.view = ring.segment().asByteBuffer();
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
    protected boolean sendByAgent() {
        boolean sent = super.sendByAgent();
        channel.operation(SelectionKey.OP_WRITE, isFull() && !isBroken());
        return sent;
    }

    @Override
    protected int write(int bytesMax) {
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
                broken(e);
                break;
            } catch (RuntimeException | Error e) {
                broken(NioConnection.INTERRUPTED); // TLS may have a copy of what is not posted
                throw e;
            }
            if (written > 0) {
                ring.post(written);
                ring.confirm(written); // the kernel, or TLS, has a copy
                total += written;
            }
            if (written < bytes) {
                block();
                break;
            }
        }
        if (!isBroken()) {
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
            block();
        } catch (IOException e) {
            broken(e);
        } catch (RuntimeException | Error e) {
            broken(NioConnection.INTERRUPTED);
            throw e;
        }
        return false;
    }

    private void broken(IOException e) {
        broken(Channels.failed("writing failed", e));
    }

    @Override
    protected boolean isFlushed() {
        return socket.isFlushed();
    }

    // ---------------------------------------------------------------- selector agent

    @Override
    public void ready(int operations, ByteBuffer scratch) throws IOException {
        if ((operations & SelectionKey.OP_READ) != 0) {
            readFlowControl(scratch);
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            sendMore();
        }
    }

    @Override
    public void readBuffered(ByteBuffer scratch) throws IOException {
        if (!ended && socket.hasBuffered()) {
            readFlowControl(scratch);
        }
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
            } catch (RuntimeException | Error e) {
                end();
                owner.fail(READ_INTERRUPTED); // steps that were read before it are lost
                throw e;
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
            owner.post(Interest.READ); // the selector knows nothing of what is decrypted
        }
        if (!socket.isFlushed()) {
            owner.post(Interest.WRITE);
        }
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

    @Override
    protected boolean hasEnded() {
        return ended;
    }

    @Override
    protected void quiet() {
        ended = true;
        channel.operation(SelectionKey.OP_READ | SelectionKey.OP_WRITE, false);
    }

    @Override
    protected boolean finish(ByteBuffer scratch) {
        if (!ended && socket.hasBuffered()) {
            discard(scratch);
        }
        if (!shutDown) {
            boolean done = finishRing();
            channel.operation(SelectionKey.OP_WRITE, !done);
            if (done) {
                endOutput();
            }
        }
        return shutDown && ended;
    }

    private void endOutput() {
        try {
            shutDown = socket.endOutput();
        } catch (IOException e) {
            shutDown = true; // it is closed, or the other node is gone
        }
    }

    @Override
    protected void close() {
        ended = true;
        channel.close();
    }
}
