package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;

/**
 * A small read or write that is posted while nothing else is in flight, before there is an
 * operation for it. The device begins earlier, and where it is done at the first poll, as a device
 * of this process is, it needs none. Under the access' lock.
 */
final class LoneMove {
    /** What became of a read or write. */
    enum Progress {
        /** Nothing is posted. */
        NOT_POSTED,
        /** The device did not accept it: {@link #record} has to follow. */
        REFUSED,
        /** It is in flight: {@link #record} has to follow. */
        IN_FLIGHT,
        /** It was carried out, and nothing of it is left. */
        DONE
    }

    /** Made before: there may be no memory for it. */
    private static final Failure UNRECORDED =
            new Failure(Cause.LOST, false, "an error interrupted a read or write while it was posted");

    private final AccessQueue queue;
    private final AccessPair pair;
    private final Flight flight;
    private final BounceSlots slots;
    private final WorkCompletion completions;
    private Requests requests; // null until it is open
    private Progress progress = Progress.NOT_POSTED;
    private int slot;
    private int bytes;
    private int polled; // completions that are not processed

    /**
     * Not open yet.
     *
     * @param completions where they are polled to
     */
    LoneMove(AccessQueue queue, AccessPair pair, Flight flight, BounceSlots slots, WorkCompletion completions) {
        this.queue = queue;
        this.pair = pair;
        this.flight = flight;
        this.slots = slots;
        this.completions = completions;
    }

    /** Posts with these from now on. */
    void open(Requests toPeer) {
        requests = toPeer;
    }

    /** {@return whether one of so many bytes may be posted} */
    boolean isPossible(long length) {
        return queue.isOpen() && flight.isEmpty() && length > 0 && length <= BounceSlots.SMALL_BYTES;
    }

    /** Posts it, polls once, and copies what was read. Where it is possible. */
    Progress post(Kind kind, long offset, MemorySegment local, int length) {
        progress = Progress.NOT_POSTED;
        bytes = length;
        polled = 0;
        try {
            slot = requests.slot(kind, local, 0, length);
        } catch (RuntimeException e) { // the operation's post fails likewise
            slot = Requests.NO_ROOM;
        } catch (InternalError e) {
            BounceSlots.checkFault(e, local);
            slot = Requests.NO_ROOM;
        }
        if (slot == Requests.NO_ROOM) {
            return progress;
        }
        progress = Progress.IN_FLIGHT; // also where posting throws
        requests.fill(kind, offset, slot, length);
        if (requests.post() > 0) {
            progress = Progress.REFUSED;
        } else if (isComplete() && isCopied(kind, local)) {
            slots.release(slot);
            progress = Progress.DONE;
        }
        return progress;
    }

    /** {@return false also where that failed: the thread that processes finds the same again} */
    private boolean isComplete() {
        try {
            polled = pair.poll(completions);
        } catch (RuntimeException e) {
            return false;
        }
        return polled == 1 && completions.at(0).id() == flight.nextId() && completions.isSuccess();
    }

    /** {@return false also where that failed, as above} */
    private boolean isCopied(Kind kind, MemorySegment local) {
        try {
            if (kind == Kind.READ) {
                slots.copyTo(slot, local, 0, bytes);
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        } catch (InternalError e) {
            BounceSlots.checkFault(e, local);
            return false;
        }
    }

    /** {@return whether {@link #record} has to follow} */
    boolean isPosted() {
        return progress == Progress.IN_FLIGHT || progress == Progress.REFUSED;
    }

    /** Its operation follows, and what was polled is processed. */
    void record(MemoryOperation operation, Thread waiter) {
        boolean isRefused = progress == Progress.REFUSED;
        Work work = queue.works().begin(operation, waiter);
        work.added(bytes);
        flight.add(work, slot, 0, bytes);
        work.postingEnds();
        progress = Progress.NOT_POSTED;
        if (isRefused) {
            queue.refused(1);
        } else {
            queue.process(polled);
        }
    }

    /**
     * Ends the access where one was posted and not recorded: its id would be another one's. After
     * an error alone, such as one for want of memory; again where that has failed.
     */
    void checkRecorded() {
        if (isPosted()) {
            queue.fail(UNRECORDED, Integer.MAX_VALUE);
            progress = Progress.NOT_POSTED;
        }
    }
}
