package io.dxnet.softhca;

/**
 * What stands behind a structure that the C side holds a pointer to.
 * Created and destroyed under {@link Fabric#control()}.
 */
abstract class SoftObject {
    /** The context that the object belongs to. */
    final SoftContext context;

    /** Where its structure is; fixed by {@link ObjectTable#add}. */
    private long address;

    /** Its place in the table, the structure's {@code handle}. */
    private int handle;

    /**
     * How many objects use this one: it cannot be destroyed
     * while there are any. Written under the control lock.
     */
    private int users;

    /**
     * Events about this object that the application has read and
     * those it acknowledged; guarded by this object's monitor.
     */
    private int eventsTaken;

    private int eventsAcknowledged;

    /** Set when the object is destroyed, before another object gets its structure. */
    private volatile boolean gone;

    SoftObject(SoftContext context) {
        this.context = context;
    }

    /** Fills the structure's public fields. Called once, when the object has its place. */
    abstract void writeStruct();

    final void place(long at, int index) {
        address = at;
        handle = index;
    }

    final long address() {
        return address;
    }

    final int handle() {
        return handle;
    }

    final void addUser() {
        users++;
    }

    final void removeUser() {
        users--;
    }

    /** Fails with {@code EBUSY} while another object uses this one. */
    final void requireUnused() {
        if (users > 0) {
            throw new VerbError(Ibv.EBUSY);
        }
    }

    final boolean isGone() {
        return gone;
    }

    final void markGone() {
        gone = true;
    }

    final synchronized void eventTaken() {
        eventsTaken++;
    }

    final synchronized void eventsAcknowledged(int count) {
        eventsAcknowledged += count;
        notifyAll();
    }

    /**
     * Waits until every event that was read is acknowledged, as
     * libibverbs does before it destroys; here with a limit.
     */
    final synchronized void awaitAcknowledgements(long limitNs) {
        long deadline = System.nanoTime() + limitNs;
        while (eventsTaken > eventsAcknowledged) {
            long leftMs = (deadline - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new VerbError(Ibv.EBUSY);
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new VerbError(Ibv.EBUSY);
            }
        }
    }
}
