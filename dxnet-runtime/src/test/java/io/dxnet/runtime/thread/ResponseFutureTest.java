package io.dxnet.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a thread of the application does for the future that it waits for. */
@Timeout(60)
class ResponseFutureTest {
    private final ResponseFuture<String> future = new ResponseFuture<>();

    @Test
    void shouldWorkForTheFutureBeforeItParks() throws Exception {
        future.help(isOver -> future.complete("done"));
        assertThat(future.get()).isEqualTo("done");
    }

    @Test
    void shouldWorkForTheFutureInJoinAndInGetWithATimeout() throws Exception {
        ResponseFuture<String> other = new ResponseFuture<>();
        other.help(isOver -> other.complete("done"));
        future.help(isOver -> future.complete("done"));
        assertThat(future.join()).isEqualTo("done");
        assertThat(other.get(Long.MAX_VALUE, TimeUnit.NANOSECONDS)).isEqualTo("done");
    }

    @Test
    void shouldWorkForWhatItDependsOn() throws Exception {
        CompletableFuture<Integer> length = future.thenApply(String::length).thenApply(each -> each + 1);
        future.help(isOver -> future.complete("done"));
        CompletableFuture<Integer> later = future.thenApply(String::length).thenApply(each -> each + 2);
        assertThat(later.get()).isEqualTo(6);
        assertThat(length).isCompletedWithValue(5);
    }

    @Test
    void shouldNotWorkForOneThatIsDone() throws Exception {
        future.help(isOver -> {
            throw new AssertionError("it is done");
        });
        future.complete("done");
        assertThat(future.get()).isEqualTo(future.join()).isEqualTo(future.get(1, TimeUnit.DAYS));
    }

    private static void until(BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 1_000_000})
    void shouldEndTheWorkAtTheTimeout(long timeoutNs) {
        future.help(ResponseFutureTest::until);
        assertThatThrownBy(() -> future.get(timeoutNs, TimeUnit.NANOSECONDS)).isInstanceOf(TimeoutException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndTheWorkAtAnInterrupt(boolean hasTimeout) {
        future.help(ResponseFutureTest::until);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> {
                    if (hasTimeout) {
                        future.get(1, TimeUnit.HOURS);
                    } else {
                        future.get();
                    }
                })
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** As {@link CompletableFuture#join}. */
    @Test
    void shouldKeepAnInterruptInJoin() {
        future.help(isOver -> {
            assertThat(isOver.getAsBoolean()).isFalse();
            future.complete("done");
        });
        Thread.currentThread().interrupt();
        assertThat(future.join()).isEqualTo("done");
        assertThat(Thread.interrupted()).isTrue();
    }
}
