package io.dxnet.softhca;

/**
 * How many packets a device receives at once. It follows what arrives: where packets come one by
 * one, the kernel is not called in vain behind each of them. One thread at a time.
 */
final class ReceiveBatch {
    /** Then what they ask for is answered; what comes at once is not divided. */
    static final int MAX = 32;

    private int size = 1;
    private boolean wasFull;

    int size() {
        return size;
    }

    /** {@return whether packets come one by one} */
    boolean isSingle() {
        return size == 1;
    }

    /** A batch had {@code count} packets: two full ones in a row make the next one larger. */
    void received(int count) {
        if (count < size) {
            size = Math.max(1, count);
            wasFull = false;
        } else {
            size = wasFull ? Math.min(MAX, 2 * size) : size;
            wasFull = !wasFull;
        }
    }
}
