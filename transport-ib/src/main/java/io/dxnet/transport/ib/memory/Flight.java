package io.dxnet.transport.ib.memory;

import io.dxnet.transport.memory.MemoryOperation;

/**
 * The requests of one send queue that were posted and not completed, in order: a ring. Each is a
 * piece of an operation. Under the access' lock.
 */
final class Flight {
    /** One request. */
    static final class Piece {
        private Work work;
        private long id;
        private int slot; // -1: none
        private long offset; // in the operation's local memory
        private int bytes;

        Work work() {
            return work;
        }

        long id() {
            return id;
        }

        int slot() {
            return slot;
        }

        long offset() {
            return offset;
        }

        int bytes() {
            return bytes;
        }
    }

    private final int capacity;
    private final Piece[] ring; // a power of two: a division costs as much as all the rest
    private long head;
    private long tail;

    Flight(int capacity) {
        this.capacity = capacity;
        ring = new Piece[Integer.highestOneBit(2 * capacity - 1)];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = new Piece();
        }
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head == capacity;
    }

    int size() {
        return (int) (tail - head);
    }

    int capacity() {
        return capacity;
    }

    /** {@return a piece by its place, 0 is the oldest} */
    Piece at(int index) {
        return place(head + index);
    }

    private Piece place(long number) {
        return ring[(int) number & ring.length - 1];
    }

    /** {@return whether the end of an operation is to be noticed soon} */
    boolean isAwaited() {
        MemoryOperation before = null;
        for (int i = 0; i < size(); i++) {
            MemoryOperation operation = at(i).work().operation();
            if (operation != before && operation.isAwaited()) {
                return true;
            }
            before = operation;
        }
        return false;
    }

    /** {@return whether an operation that has not ended has reached its deadline} */
    boolean isAnyLate(long nowNs) {
        for (int i = 0; i < size(); i++) {
            Work work = at(i).work();
            if (!work.isEnded() && nowNs - work.operation().deadlineNs() >= 0) {
                return true;
            }
        }
        return false;
    }

    /** {@return the id that the next piece gets} */
    long nextId() {
        return tail;
    }

    /** Appends a piece, and returns the id that its request gets. */
    long add(Work work, int slot, long offset, int bytes) {
        Piece piece = place(tail);
        piece.work = work;
        piece.id = tail;
        piece.slot = slot;
        piece.offset = offset;
        piece.bytes = bytes;
        return tail++;
    }

    void removeOldest() {
        at(0).work = null;
        head++;
    }
}
