package io.dxnet.runtime.connect;

import java.util.ArrayDeque;

/**
 * A simulated TCP channel: bytes of one ring one way, flow control and signals the
 * other way, each in order, at any speed.
 */
final class SimChannel {
    /**
     * What {@link #back} holds: confirmations as positive numbers, signals as
     * negative ones, and the end.
     */
    static final int END = Integer.MIN_VALUE;

    final SimLink from;
    final SimLink to;
    int data; // bytes in the kernels
    boolean dataEnd; // after these
    final ArrayDeque<Integer> back = new ArrayDeque<>();
    boolean fromSawEnd;
    boolean toSawEnd;

    SimChannel(SimLink from, SimLink to) {
        this.from = from;
        this.to = to;
    }

    /** No more bytes; those that were written arrive before. */
    void endData() {
        dataEnd = true;
    }

    void endBack() {
        if (back.isEmpty() || back.peekLast() != END) {
            back.add(END);
        }
    }

    /** Both kernels forget what is on its way. */
    void reset() {
        data = 0;
        back.clear();
        endData();
        endBack();
    }
}
