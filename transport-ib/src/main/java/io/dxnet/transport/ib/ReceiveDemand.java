package io.dxnet.transport.ib;

/**
 * How many receives are posted: enough for the bursts that come, and no more. A device uses
 * posted receives in turn, so that their memory is all written before any of it is written
 * again: what exceeds the processor's cache (64 receives of 64 KiB are 4 MiB) is in memory by
 * then, for the device's writes as for the engine's reads.
 *
 * <p>A burst is what was used from one poll that did not fill its batch to the next: while batches
 * are full, more may wait. Where a burst exceeds three quarters of the number, it is doubled; where
 * none exceeded a quarter in {@value #PERIOD} refills, it is halved. A sender that finds no receive
 * waits for {@code ib.minRnrTimer} and repeats. The receiving agent only.
 */
final class ReceiveDemand {
    /** Posted however few are used. */
    static final int FEWEST = 64;

    /** Refills after which the number may fall. */
    static final int PERIOD = 4096;

    private final int most;
    private final int fewest;
    private int target;
    private int burst;
    private int refills; // of the period
    private int largest; // burst of the period

    /** @param most the entries of the shared receive queue */
    ReceiveDemand(int most) {
        this.most = most;
        this.fewest = Math.min(FEWEST, most);
        this.target = fewest;
    }

    /** {@return how many receives should be posted} */
    int target() {
        return target;
    }

    /**
     * A refill begins.
     *
     * @param posted receives that were posted after the last refill: more than the number, where
     *     that has fallen; fewer, where buffers were missing
     * @param left how many of them are posted still
     * @param isFull whether the last poll filled its batch
     */
    void refill(int posted, int left, boolean isFull) {
        int used = Math.max(0, Math.min(posted, target) - left);
        if (used == 0) {
            return; // a cycle that waits for buffers
        }
        burst += used;
        if (4 * burst > 3 * target) {
            target = Math.min(most, 2 * target);
            beginPeriod();
            return;
        }
        largest = Math.max(largest, burst);
        if (!isFull) {
            burst = 0;
        }
        if (++refills == PERIOD) {
            if (4 * largest <= target) {
                target = Math.max(fewest, target / 2);
            }
            beginPeriod();
        }
    }

    private void beginPeriod() {
        burst = 0;
        refills = 0;
        largest = 0;
    }
}
