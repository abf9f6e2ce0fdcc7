package io.dxnet.runtime.connect;

import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;

/** Faults of earlier versions, put back to show that the simulation finds them. */
enum SimFaults {
    NONE,
    /** What the kernel accepted counts as handled. */
    DRAINED_IS_HANDLED {
        @Override
        void written(SimWorld world, SimLink link) {
            if (!link.connection.ring().isDrained()) {
                return;
            }
            switch (link.connection.tail()) {
                case RESPONSES -> link.connection.signalsReceived(ConnectionLife.SEEN);
                case GOODBYE -> link.connection.signalsReceived(ConnectionLife.HANDLED);
                case OPEN, LOCKED, RESPONDING -> {}
            }
        }
    },
    /** A goodbye that was reached counts as handled. */
    PARSED_IS_HANDLED {
        @Override
        void goodbyeReached(SimLink link) {
            link.connection.signal(ConnectionLife.HANDLED);
        }
    },
    /**
     * The stream is opened before the connection is announced, and its end in
     * between is not reported.
     */
    OPENED_BEFORE_ANNOUNCED,
    /** A stream is asked for again, of a connection that the other node has ended. */
    REFUSAL_IS_NO_END,
    /** A hello whose direction can't be opened makes a connection that stays. */
    FAILED_HELLO_MAKES_CONNECTION {
        @Override
        void incomingFailed(SimNode node, PeerConnection connection) {
            connection.life().incomingFailed();
        }
    },
    /** A hello with a later connection id ends a healthy connection. */
    HELLO_ENDS_CONNECTION,
    /** A connection that this node does not read, for want of memory, waits for nothing. */
    REFUSED_READING_WAITS_FOR_NOTHING {
        @Override
        void readingRefused(SimLink link) {}
    },
    /** A connection is read before the rest of an earlier one. */
    SUCCESSOR_IS_READ_FIRST {
        @Override
        boolean isNextToRead(SimLink link) {
            return true;
        }
    },
    /** An end is reported as one without bytes in doubt. */
    REPORT_HAS_NO_BYTES {
        @Override
        long reported(long bytes) {
            return 0;
        }
    },
    /** The time in which no node runs counts as time without progress. */
    PAUSE_COUNTS {
        @Override
        void pause(SimWorld world, long timeNs) {
            long endNs = world.now + timeNs;
            while (world.now < endNs) {
                world.now += world.closeTimeoutNs / PAUSE_PARTS;
                for (SimNode node : world.runs) {
                    if (!node.killed) {
                        node.control();
                    }
                }
            }
        }
    };

    private static final int PAUSE_PARTS = 16;

    /** No node runs for a while. */
    void pause(SimWorld world, long timeNs) {
        world.now += timeNs;
    }

    /** Bytes were written to the kernel. */
    void written(SimWorld world, SimLink link) {}

    /** Whether what a connection brings may be read. */
    boolean isNextToRead(SimLink link) {
        return link.connection.isNextToRead();
    }

    /** A node has no memory for what a connection brings. */
    void readingRefused(SimLink link) {
        link.connection.readingRefused();
    }

    /** The direction that another node asked for could not be opened. */
    void incomingFailed(SimNode node, PeerConnection connection) {
        node.connections.incomingFailed(connection);
    }

    /** {@return the bytes that the report of an end has} */
    long reported(long bytes) {
        return bytes;
    }

    /** The other node's goodbye was reached. */
    void goodbyeReached(SimLink link) {}
}
