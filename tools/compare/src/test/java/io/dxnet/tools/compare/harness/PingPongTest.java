package io.dxnet.tools.compare.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PingPongTest {
    private static final long MINUTE_NS = Duration.ofMinutes(1).toNanos();

    private final Workload verified = new Workload(Workload.Mode.ROUND_TRIP, 32, 1, true);

    private static void echo(PingPong loop, boolean right) {
        assertThat(loop.next()).isTrue();
        assertThat(loop.wants(32)).isTrue();
        System.arraycopy(loop.payload(), 0, loop.copy(), 0, 32);
        if (!right) {
            loop.copy()[5]++;
        }
        loop.answered(32);
    }

    @Test
    void shouldRecordEachRoundTripAndFindDamagedEchoes() {
        PingPong loop = new PingPong(verified, 0, MINUTE_NS);
        echo(loop, true);
        echo(loop, false);
        assertThat(loop.next()).isTrue();
        loop.answered(31);
        assertThat(loop.times().getTotalCount()).isEqualTo(3);
        assertThat(loop.corrupted()).isEqualTo(2);
    }

    @Test
    void shouldNotRecordTheWarmUp() {
        PingPong loop = new PingPong(verified, MINUTE_NS, MINUTE_NS);
        echo(loop, true);
        assertThat(loop.times().getTotalCount()).isZero();
    }

    @Test
    void shouldEndWithTheTime() {
        assertThat(new PingPong(verified, 0, 0).next()).isFalse();
    }
}
