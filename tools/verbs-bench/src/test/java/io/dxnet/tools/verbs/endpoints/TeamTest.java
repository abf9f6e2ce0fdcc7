package io.dxnet.tools.verbs.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.WcStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TeamTest {
    @Test
    void shouldTellTheFailureAndNotTheFlushThatItCaused() {
        assertThatThrownBy(() -> Team.run(List.of(failing(WcStatus.WR_FLUSH_ERR), late(WcStatus.RETRY_EXC_ERR)), 0))
                .hasMessage("RETRY_EXC_ERR");
        assertThatThrownBy(() -> Team.run(List.of(failing(WcStatus.RETRY_EXC_ERR), late(WcStatus.WR_FLUSH_ERR)), 0))
                .hasMessage("RETRY_EXC_ERR");
        assertThatThrownBy(() -> Team.run(List.of(failing(WcStatus.REM_ACCESS_ERR), late(WcStatus.RETRY_EXC_ERR)), 0))
                .hasMessage("REM_ACCESS_ERR");
    }

    @Test
    void shouldAskAllToStopWhenTheTimeIsOver() {
        Team.Member member = stop -> {
            while (!stop.get()) {
                Thread.onSpinWait();
            }
        };
        assertThat(Team.run(List.of(member, member), 1)).isPositive();
    }

    private static Team.Member failing(WcStatus status) {
        return stop -> fail(status);
    }

    /** Fails after another has failed. */
    private static Team.Member late(WcStatus status) {
        return (AtomicBoolean stop) -> {
            while (!stop.get()) {
                Thread.onSpinWait();
            }
            fail(status);
        };
    }

    private static void fail(WcStatus status) {
        throw new CompletionFailedException(status.name(), status);
    }
}
