package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveDemandTest {
    private static final int MOST = 256;

    private final ReceiveDemand demand = new ReceiveDemand(MOST);

    private void refills(int count, int used) {
        for (int i = 0; i < count; i++) {
            demand.refill(demand.target(), demand.target() - Math.min(used, demand.target()), false);
        }
    }

    @Test
    void shouldNeverAskForMoreThanTheQueueHolds() {
        assertThat(new ReceiveDemand(16).target()).isEqualTo(16);
        ReceiveDemand odd = new ReceiveDemand(100);
        odd.refill(64, 0, false);
        assertThat(odd.target()).isEqualTo(100);
    }

    @Test
    void shouldDoubleWhereMoreThanThreeQuartersAreUsed() {
        refills(1, 48);
        assertThat(demand.target()).isEqualTo(64);
        refills(1, 49);
        assertThat(demand.target()).isEqualTo(128);
        refills(5, 256);
        assertThat(demand.target()).isEqualTo(MOST);
    }

    @Test
    void shouldHalveAfterAPeriodWithoutBursts() {
        refills(2, 200);
        assertThat(demand.target()).isEqualTo(MOST);
        refills(ReceiveDemand.PERIOD - 1, 64);
        assertThat(demand.target()).isEqualTo(MOST);
        refills(1, 64);
        assertThat(demand.target()).isEqualTo(128);
        refills(3 * ReceiveDemand.PERIOD, 1);
        assertThat(demand.target()).isEqualTo(ReceiveDemand.FEWEST);
    }

    @Test
    void shouldKeepWhatOneBurstOfAPeriodNeeded() {
        refills(2, 200);
        refills(ReceiveDemand.PERIOD - 1, 1);
        refills(1, 65);
        assertThat(demand.target()).isEqualTo(MOST);
    }

    /** A poll returns at most a batch: a burst of more is used in several refills. */
    @Test
    void shouldAddUpABurstOfSeveralBatches() {
        for (int i = 0; i < 4; i++) {
            demand.refill(demand.target(), demand.target() - 64, true);
        }
        assertThat(demand.target()).isEqualTo(MOST);
    }

    @Test
    void shouldEndABurstWhereABatchIsNotFull() {
        refills(1, 64);
        assertThat(demand.target()).isEqualTo(128);
        for (int i = 0; i < 100; i++) {
            demand.refill(128, 128 - 64, false);
        }
        assertThat(demand.target()).isEqualTo(128);
    }

    /** Cycles that wait for buffers, millions of them, are no calm. */
    @Test
    void shouldNotCountRefillsOfNothing() {
        refills(2, 200);
        refills(10 * ReceiveDemand.PERIOD, 0);
        assertThat(demand.target()).isEqualTo(MOST);
    }

    /** What is posted beyond a number that has fallen is no burst when it is used. */
    @Test
    void shouldNotCountWhatIsPostedBeyondTheNumber() {
        refills(2, 200);
        refills(2 * ReceiveDemand.PERIOD, 1);
        assertThat(demand.target()).isEqualTo(64);
        demand.refill(MOST, 40, false);
        assertThat(demand.target()).isEqualTo(64);
        demand.refill(MOST, 15, false);
        assertThat(demand.target()).isEqualTo(128);
    }

    /** An empty pool: few or none are posted, and more cannot be. */
    @Test
    void shouldNotGrowWhereBuffersAreMissing() {
        demand.refill(0, 0, false);
        demand.refill(1, 0, false);
        demand.refill(47, 0, false);
        assertThat(demand.target()).isEqualTo(ReceiveDemand.FEWEST);
    }

    /** However bursts come, a burst leaves a quarter afterwards, as far as the queue holds it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldFollowAnyBursts(long seed) {
        Random random = new Random(seed);
        int changes = 0;
        for (int i = 0; i < 2_000_000; i++) {
            int posted = demand.target();
            int used = random.nextInt(1 << random.nextInt(random.nextInt(1000) == 0 ? 10 : 4)) % (posted + 1);
            demand.refill(posted, posted - used, false);
            assertThat(demand.target()).isBetween(Math.max(ReceiveDemand.FEWEST, Math.min(MOST, 4 * used / 3)), MOST);
            changes += demand.target() == posted ? 0 : 1;
        }
        assertThat(changes).as("it grows and falls").isGreaterThan(10);
    }
}
