package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.HandshakeCheck.Result;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The self-test of what closing a shared arena waits for. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HandshakeCheckTest {
    private static final long BYTES = 64L << 20;
    private static final int TRIES = 50;
    private static final int CHECKS = 100;

    @Test
    void shouldShowThatThisJvmWaits() {
        assertThat(HandshakeCheck.check(Quiescence::synchroniseWithAllThreads, BYTES, TRIES))
                .isEqualTo(Result.WAITS);
    }

    @Test
    void shouldFindACloseThatDoesNotWait() {
        assertThat(isFound(() -> {})).isTrue();
        assertThat(isFound(() -> Arena.ofConfined().close()))
                .as("a confined arena handshakes with no thread")
                .isTrue();
    }

    /**
     * A checking thread that is preempted finds the call over, as if the
     * close had waited: so it is checked until it is found.
     */
    private static boolean isFound(Runnable close) {
        for (int i = 0; i < CHECKS; i++) {
            if (HandshakeCheck.check(close, BYTES, TRIES) == Result.DOES_NOT_WAIT) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldNotAccuseWithoutEvidence() {
        assertThat(HandshakeCheck.check(() -> {}, BYTES, 0)).isEqualTo(Result.NOT_SHOWN);
        assertThatCode(() -> HandshakeCheck.require(Result.NOT_SHOWN)).doesNotThrowAnyException();
        assertThatCode(HandshakeCheck::require).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseTheJvmThatDoesNotWait() {
        assertThatThrownBy(() -> HandshakeCheck.require(Result.DOES_NOT_WAIT))
                .isInstanceOfSatisfying(
                        VerbsUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(VerbsUnavailableException.Cause.UNSUPPORTED_JVM))
                .hasMessageContaining(System.getProperty("java.vm.name"))
                .hasMessageContaining("shared arena");
    }
}
