package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.PostException;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Cuts operations into requests, and posts them as one chain. Under the access' lock.
 *
 * <p>Its operation counts a piece before there is a request for it: a request that gets no memory,
 * because that is closed at this moment, is posted too, transfers nothing, and completes.
 *
 * <p>A fenced operation has the fence flag. The owner's device carries out requests of one queue
 * pair in their order, also what follows a write; without the flag, though, a write or a message
 * may be carried out before the answers to reads and atomics are back. So the flag is enough: this
 * side waits for no completion.
 */
final class Requests {
    /** Written from the chain itself, without memory that is registered. */
    static final int INLINE_BYTES = 64;

    /** In place of a slot: the request itself has the bytes. */
    static final int INLINE = -1;

    /** In place of a slot: none is free. */
    static final int NO_ROOM = -2;

    /** Of a chain: those between complete silently with the next one. */
    private static final int SIGNALED_EVERY = 16;

    /** Of an operation on registered memory, so that a large one does not hold up all others. */
    private static final long DIRECT_BYTES_MAX = 1 << 20;

    private final QueuePair pair;
    private final Flight flight;
    private final BounceSlots slots;
    private final AccessReply remote;
    private final long directMax;
    private final SendChain chain;
    private final MemorySegment small = Arena.ofAuto().allocate(INLINE_BYTES);
    private final MemorySegment notification = Arena.ofAuto().allocate(Notification.BYTES);

    Requests(QueuePair pair, Flight flight, BounceSlots slots, AccessReply remote, long messageBytesMax) {
        this.pair = pair;
        this.flight = flight;
        this.slots = slots;
        this.remote = remote;
        this.directMax = Math.min(DIRECT_BYTES_MAX, messageBytesMax);
        this.chain = new SendChain(flight.capacity(), 1, INLINE_BYTES);
    }

    /**
     * {@return whether the device uses the operation's memory itself, which is registered then}
     *
     * @param mayCopy whether the thread that processes completions may access it
     */
    static boolean mustRegister(MemoryOperation operation, boolean mayCopy) {
        MemorySegment local = operation.local();
        boolean isMoved = operation.kind() == Kind.READ || operation.kind() == Kind.WRITE;
        return isMoved
                && local.isNative()
                && !local.isReadOnly()
                && (operation.length() > BounceSlots.SMALL_BYTES
                        || operation.kind() == Kind.READ && operation.length() > 0 && !mayCopy);
    }

    /**
     * Appends the next piece of an operation.
     *
     * @return false where there is no room in the queue, or no slot: post what there is, and wait
     * @throws IllegalStateException if the operation's memory is closed
     */
    boolean append(Work work) {
        if (flight.isFull()) {
            return false;
        }
        MemoryOperation operation = work.operation();
        boolean isFirst = work.posted() == 0;
        boolean appended = switch (operation.kind()) {
            case READ, WRITE -> work.lease() == null ? appendCopied(work, operation) : appendDirect(work, operation);
            case FETCH_ADD, COMPARE_AND_SWAP -> appendAtomic(work, operation);
            case NOTIFY -> appendNotification(work, operation);
        };
        if (appended) {
            if (chain.size() % SIGNALED_EVERY == 0) {
                chain.signaled();
            }
            if (isFirst && operation.isFenced()) {
                chain.fence();
            }
        }
        return appended;
    }

    private boolean appendDirect(Work work, MemoryOperation operation) {
        MemorySegment local = operation.local();
        if (!local.scope().isAlive()) { // before there is a request
            throw new IllegalStateException("its arena is closed");
        }
        long at = work.posted();
        int bytes = (int) Math.min(operation.length() - at, directMax);
        work.added(bytes);
        start(operation, flight.add(work, -1, at, bytes), at);
        var region = work.lease().region();
        chain.sge(region, local.address() - region.address() + at, bytes);
        return true;
    }

    private boolean appendCopied(Work work, MemoryOperation operation) {
        long at = work.posted();
        int bytes = slots.piece(operation.length() - at);
        int slot = slot(operation.kind(), operation.local(), at, bytes);
        if (slot == NO_ROOM) {
            return false;
        }
        work.added(bytes);
        start(operation, flight.add(work, slot, at, bytes), at);
        element(slot, bytes);
        return true;
    }

    /**
     * Copies what is written, before there is a request: the local memory may be closed.
     *
     * @return the slot; {@link #INLINE}, or {@link #NO_ROOM}
     * @throws IllegalStateException if the memory is closed
     */
    int slot(Kind kind, MemorySegment local, long at, int bytes) {
        boolean isWrite = kind == Kind.WRITE;
        if (isWrite && bytes <= INLINE_BYTES) {
            BounceSlots.copyFrom(local, at, small, 0, bytes);
            return INLINE;
        }
        int slot = slots.acquire(bytes);
        if (isWrite && slot >= 0) {
            try {
                slots.fill(slot, local, at, bytes);
            } catch (RuntimeException | InternalError e) {
                slots.release(slot);
                throw e;
            }
        }
        return slot < 0 ? NO_ROOM : slot;
    }

    private void element(int slot, int bytes) {
        if (slot == INLINE) {
            chain.inline(small, 0, bytes);
        } else {
            chain.sge(slots.region(slot), slots.offset(slot), bytes);
        }
    }

    /**
     * Fills the chain, which is empty, with a small read or write, under the id that the next piece
     * in flight gets.
     *
     * @param slot of {@link #slot}
     */
    void fill(Kind kind, long offset, int slot, int bytes) {
        start(kind, offset, flight.nextId());
        element(slot, bytes);
    }

    private void start(MemoryOperation operation, long id, long at) {
        start(operation.kind(), operation.offset() + at, id);
    }

    private void start(Kind kind, long offset, long id) {
        long address = remote.base() + offset;
        if (kind == Kind.WRITE) {
            chain.write(id, address, remote.key());
        } else {
            chain.read(id, address, remote.key());
        }
    }

    private boolean appendAtomic(Work work, MemoryOperation operation) {
        int slot = slots.acquire(Long.BYTES);
        if (slot < 0) {
            return false;
        }
        work.added(1);
        long id = flight.add(work, slot, 0, Long.BYTES);
        long address = remote.base() + operation.offset();
        if (operation.kind() == Kind.FETCH_ADD) {
            chain.fetchAdd(id, address, remote.key(), operation.value());
        } else {
            chain.compareSwap(id, address, remote.key(), operation.expected(), operation.value());
        }
        chain.sge(slots.region(slot), slots.offset(slot), Long.BYTES);
        return true;
    }

    private boolean appendNotification(Work work, MemoryOperation operation) {
        Notification.write(notification, operation.offset(), operation.length(), (int) operation.value());
        work.added(1);
        chain.send(flight.add(work, -1, 0, Notification.BYTES));
        chain.inline(notification, 0, Notification.BYTES);
        return true;
    }

    /**
     * Posts what was appended.
     *
     * @return how many of the newest pieces the device did not accept: 0, unless it fails
     */
    int post() {
        int size = chain.size();
        if (size == 0) {
            return 0;
        }
        int accepted;
        chain.signaled(); // the last one
        try {
            accepted = pair.postSend(chain);
        } catch (PostException e) {
            accepted = e.accepted();
        } catch (IllegalStateException e) {
            accepted = 0; // its queue pair is gone with the device
        }
        chain.clear();
        return size - accepted;
    }
}
