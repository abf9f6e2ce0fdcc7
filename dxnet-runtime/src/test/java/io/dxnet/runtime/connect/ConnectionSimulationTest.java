package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The life of connections under random schedules: see {@link SimWorld}. A failure names its seed;
 * {@code -Ddxnet.test.seed=<seed>} repeats it alone, {@code -Ddxnet.test.schedules=<n>} runs more.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ConnectionSimulationTest {
    private static final Long SEED = Long.getLong("dxnet.test.seed");
    private static final int SCHEDULES = Integer.getInteger("dxnet.test.schedules", SEED == null ? 150_000 : 1);
    private static final int SCHEDULES_RESTLESS =
            Integer.getInteger("dxnet.test.restlessSchedules", SEED == null ? 5000 : 1);
    private static final int SCHEDULES_WITH_FAULT = 1_000_000;
    private static final int SCHEDULES_RUN_TWICE = 200;

    @Test
    void shouldAccountForEveryMessageInEverySchedule() throws InterruptedException {
        SimSchedules schedules = new SimSchedules(SEED == null ? 0 : SEED, SCHEDULES, SimFaults.NONE, false);
        assertThat(schedules.run()).isNull();
        assertThat(schedules.tally().schedules()).isEqualTo(SCHEDULES);
        if (SEED == null) {
            assertThat(schedules.tally().partingsWhileOpening()).isPositive();
        }
        System.out.println(schedules.tally());
    }

    /**
     * Connections are ended all the time, and one node reads the signals of the others late: many
     * connections end at the same time, and none waits for its time limit.
     */
    @Test
    void shouldEndManyConnectionsAtTheSameTime() throws InterruptedException {
        SimSchedules schedules = new SimSchedules(SEED == null ? 0 : SEED, SCHEDULES_RESTLESS, SimFaults.NONE, true);
        assertThat(schedules.run()).isNull();
        System.out.println(schedules.tally());
    }

    /** The faults of earlier versions are found within some schedules. */
    @ParameterizedTest
    @EnumSource(value = SimFaults.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindFaultsThatArePutBack(SimFaults fault) throws InterruptedException {
        SimSchedules.Failure found = new SimSchedules(0, SCHEDULES_WITH_FAULT, fault, false).run();
        assertThat(found).isNotNull();
        System.out.println(fault + ": " + found);
    }

    /** Else a seed would be no report. */
    @Test
    void shouldRepeatAScheduleFromItsSeed() {
        RingMemory memory = new RingMemory(SimWorld.RING_BYTES);
        long[] first = new long[SCHEDULES_RUN_TWICE];
        for (int seed = 0; seed < SCHEDULES_RUN_TWICE; seed++) {
            first[seed] = outcome(seed, memory);
        }
        for (int seed = SCHEDULES_RUN_TWICE - 1; seed >= 0; seed--) {
            assertThat(outcome(seed, memory)).as("seed %d", seed).isEqualTo(first[seed]);
        }
        memory.tryFree(0);
    }

    private static long outcome(long seed, RingMemory memory) {
        SimWorld world = new SimWorld(seed, memory, SimFaults.NONE, new SimTally(), false);
        assertThat(world.run(SimSchedules.STEPS)).isNull();
        return world.now ^ world.random.nextLong();
    }
}
