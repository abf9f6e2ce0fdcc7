package io.dxnet.runtime.thread;

/**
 * A clock to be read for each message. It ticks about every 10 ms while threads send or wait for
 * a response, and may rest while none does. One thread advances it, any reads it.
 */
public final class CoarseClock {
    private volatile int tick;
    private volatile boolean used; // since the last tick
    private volatile boolean idle; // the next tick may come late

    public int tick() {
        return tick;
    }

    /** Whether the next tick may come late. */
    public boolean isIdle() {
        return idle;
    }

    /**
     * Begins the next tick. {@code needed}: not only senders need the one after
     * it in time. The clock's thread.
     */
    public void advance(boolean needed) {
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
     * @return whether it rested, so that its thread may sleep
     */
    public boolean use() {
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
