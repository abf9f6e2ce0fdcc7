package io.dxnet.transport.shm;

import static io.dxnet.transport.connection.ConnectionState.USABLE;

import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.ConnectionAgent;
import io.dxnet.transport.connection.PairedConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Selector;

/** A connection through shared memory: its two directions. The agent only. */
final class ShmConnection extends PairedConnection<ShmConnection, Outgoing, Incoming> {
    static final String CUT_OFF = "the other node made the file of the shared memory shorter";

    private boolean isCutOffKnown;

    ShmConnection(Connection connection, long id, ConnectionAgent<ShmConnection> agent) {
        super(connection, id, agent);
    }

    /** Registers the channels of the directions that were opened. */
    void register(Selector selector) throws ClosedChannelException {
        if (outgoing() != null) {
            outgoing().channel().register(selector, this);
        }
        if (incoming() != null && incoming().isOpen()) {
            incoming().channel().register(selector, this);
        }
    }

    /** Reads the channels, and fails where the other node has hung up. */
    void drainChannels(ByteBuffer scratch) {
        boolean ended = outgoing() != null && outgoing().channel().drain(scratch);
        if (incoming() != null) {
            ended |= incoming().channel().drain(scratch);
        }
        if (ended) {
            fail("the other node closed the connection");
        }
    }

    private boolean mayPoll() {
        return switch (state()) {
            case USABLE, FAILED -> true;
            default -> false;
        };
    }

    /** Reads and writes the shared memory; returns an amount of work. */
    int poll() throws IOException {
        if (!mayPoll()) {
            return 0;
        }
        return (incoming() == null ? 0 : incoming().poll())
                + (outgoing() == null ? 0 : outgoing().poll());
    }

    /** Returns whether a poll would find something. */
    boolean hasWork() {
        return mayPoll()
                && (outgoing() != null && outgoing().hasWork()
                        || incoming() != null && incoming().hasWork());
    }

    /** Has the other node wake this one up. */
    void announceSleep() {
        if (state() == USABLE) {
            if (outgoing() != null) {
                outgoing().announceSleep();
            }
            if (incoming() != null) {
                incoming().announceSleep();
            }
        }
    }

    void awake() {
        if (state() == USABLE) {
            if (outgoing() != null) {
                outgoing().awake();
            }
            if (incoming() != null) {
                incoming().awake();
            }
        }
    }

    /**
     * Ends it where the other process has cut off the memory of a direction, also of one that
     * another thread has ended for that already.
     *
     * @return whether that is so, the first time
     */
    boolean endCutOff() {
        boolean isCutOff = outgoing() != null && outgoing().isCutOff()
                || incoming() != null && incoming().isCutOff();
        if (isCutOffKnown || !isCutOff) {
            return false;
        }
        isCutOffKnown = true;
        leave();
        fail(CUT_OFF);
        return true;
    }

    /** Uses the shared memory no more. */
    void leave() {
        if (outgoing() != null) {
            outgoing().quiet();
        }
        if (incoming() != null) {
            incoming().leave();
        }
    }
}
