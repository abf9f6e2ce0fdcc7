package io.dxnet.runtime;

/**
 * A clock to be read for each message: it ticks about every 10 ms while somebody sends or waits for a response, and may rest while
 * nobody does. One thread advances it, any reads it.
 */
final class CoarseClock {
    private volatile int tick;
    private volatile boolean used; // since the last tick
    private volatile boolean idle; // the next tick may come late

    int tick() {
        return tick;
    }

    /** Whether the next tick may come late. */
    boolean isIdle() {
        return idle;
    }

    /** The next tick. {@code needed}: somebody else than senders needs the one after it in time. The clock's thread. */
    void advance(boolean needed) {
        tick++; // this thread alone writes it
        idle = !needed && !used;
        if (used) { // read after idle is written, as use() does it the other way round
            idle = false;
        }
        used = false;
    }

    /**
     * Keeps the clock running. To be called when the tick is seen to have changed. Any thread.
     *
     * @return true: it rested, and its thread may sleep
     */
    boolean use() {
        if (used) {
            return false;
        }
        used = true;
        if (!idle) {
            return false;
        }
        idle = false;
        return true;
    }
}
