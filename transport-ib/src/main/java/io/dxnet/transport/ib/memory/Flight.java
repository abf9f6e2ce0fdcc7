package io.dxnet.transport.ib.memory;

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

    private final Piece[] ring;
    private long head;
    private long tail;

    Flight(int capacity) {
        ring = new Piece[capacity];
        for (int i = 0; i < capacity; i++) {
            ring[i] = new Piece();
        }
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head == ring.length;
    }

    int size() {
        return (int) (tail - head);
    }

    int capacity() {
        return ring.length;
    }

    /** {@return a piece by its place, 0 is the oldest} */
    Piece at(int index) {
        return ring[(int) ((head + index) % ring.length)];
    }

    /** Appends a piece, and returns the id that its request gets. */
    long add(Work work, int slot, long offset, int bytes) {
        Piece piece = ring[(int) (tail % ring.length)];
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

    void removeNewest() {
        tail--;
        ring[(int) (tail % ring.length)].work = null;
    }
}
