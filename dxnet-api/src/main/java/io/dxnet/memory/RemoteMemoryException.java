package io.dxnet.memory;

import io.dxnet.DXNetException;

/** Why an operation on remote memory failed: one of the nested classes. */
public abstract sealed class RemoteMemoryException extends DXNetException {
    private static final long serialVersionUID = 1L;

    /** Whether the operation was carried out. */
    public enum Outcome {
        /** It was, whole. */
        DONE,
        /** It was not, and will not be. */
        NOT_DONE,
        /** It may have been, or in part. */
        UNKNOWN
    }

    private final Outcome outcome;

    private RemoteMemoryException(String message, Outcome outcome) {
        super(message);
        this.outcome = outcome;
    }

    /**
     * {@return whether the operation was carried out} A read changes nothing: where it
     * fails, the content of its target means nothing.
     */
    public Outcome outcome() {
        return outcome;
    }

    /** The owner has closed the region. */
    public static final class RegionRevoked extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which region
         * @param outcome whether the operation was carried out before
         */
        public RegionRevoked(String message, Outcome outcome) {
            super(message, outcome);
        }
    }

    /**
     * The owner cannot be reached, its connection broke, or it runs as another incarnation now,
     * which knows nothing of this region: attach again.
     */
    public static final class OwnerGone extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which region, and what happened
         * @param outcome whether the operation was carried out
         */
        public OwnerGone(String message, Outcome outcome) {
            super(message, outcome);
        }
    }

    /** A part of the range is not in the region. Nothing was done. */
    public static final class OutOfBounds extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which region and range
         */
        public OutOfBounds(String message) {
            super(message, Outcome.NOT_DONE);
        }
    }

    /** This node has no such right. Nothing was done. */
    public static final class NoRight extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which region and right
         */
        public NoRight(String message) {
            super(message, Outcome.NOT_DONE);
        }
    }

    /** The operation was not complete at its deadline. */
    public static final class TimedOut extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which region
         * @param outcome whether the operation was carried out
         */
        public TimedOut(String message, Outcome outcome) {
            super(message, outcome);
        }
    }

    /** The node shares no region of this name. */
    public static final class NoSuchRegion extends RemoteMemoryException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message.
         *
         * @param message which node and name
         */
        public NoSuchRegion(String message) {
            super(message, Outcome.NOT_DONE);
        }
    }
}
