package io.dxnet.transport.ib;

/**
 * How many receives are posted: enough for the bursts that come, and no more. A device uses
 * posted receives in turn, so that their memory is all written before any of it is written
 * again: what exceeds the processor's cache (64 receives of 64 KiB are 4 MiB) is in memory by
 * then, for the device's writes as for the engine's reads.
 *
 * <p>Where more than three quarters of them are used between two refills, there are twice as many
 * from then on; where never more than a quarter was used in {@value #PERIOD} refills, half as
 * many. A sender that finds no receive waits for {@code ib.minRnrTimer} and repeats. The
 * receiving agent only.
 */
final class ReceiveDemand {
    /** Posted however few are used. */
    static final int FEWEST = 64;

    /** Refills after which the number may fall. */
    static final int PERIOD = 4096;

    private final int most;
    private final int fewest;
    private int target;
    private int refills; // of the period
    private int mostUsed; // between two refills of the period

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
     * @param posted receives that were posted after the last refill: more than asked for, where
     *     the number has fallen; fewer, where buffers were missing
     * @param left how many of them are posted still
     */
    void refill(int posted, int left) {
        int used = Math.max(0, Math.min(posted, target) - left);
        if (4 * used > 3 * target) {
            target = Math.min(most, 2 * target);
            beginPeriod();
            return;
        }
        mostUsed = Math.max(mostUsed, used);
        if (++refills == PERIOD) {
            if (4 * mostUsed <= target) {
                target = Math.max(fewest, target / 2);
            }
            beginPeriod();
        }
    }

    private void beginPeriod() {
        refills = 0;
        mostUsed = 0;
    }
}
