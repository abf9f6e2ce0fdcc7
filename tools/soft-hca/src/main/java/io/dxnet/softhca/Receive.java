package io.dxnet.softhca;

/**
 * A responder's copy of the receive that it works on: its id and
 * its scatter list. Used under the responder's lock.
 */
final class Receive {
    /** Room for the largest scatter list. */
    private final long room = LibC.calloc(SoftDevice.MAX_SGE * Offsets.SGE_SIZE);

    private long wrId;
    private int sgeCount;
    private boolean limitReached;

    /** Where the scatter list is. */
    long room() {
        return room;
    }

    void set(long id, int count) {
        wrId = id;
        sgeCount = count;
    }

    void setLimitReached() {
        limitReached = true;
    }

    /**
     * Whether the removal of this receive made its queue
     * fall below the limit; the first call resets it.
     */
    boolean testLimitReached() {
        boolean reached = limitReached;
        limitReached = false;
        return reached;
    }

    long wrId() {
        return wrId;
    }

    int sgeCount() {
        return sgeCount;
    }

    void release() {
        LibC.free(room);
    }
}
