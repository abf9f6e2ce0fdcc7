package io.dxnet.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CompletionsTest {
    /** More often than there may be completers. */
    private static final int FAILURES = 40;

    private final List<Throwable> errors = new ArrayList<>();
    private final CountDownLatch completed = new CountDownLatch(1);
    private int failures;

    private Thread start(Runnable task, String name) {
        if (failures++ < FAILURES) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task, name);
    }

    /** A short lack of threads delays a future; it does not stop futures for good. */
    @Test
    void shouldCompleteWhenThreadsCanBeStartedAgain() throws InterruptedException {
        Completions completions = new Completions("test", (what, error) -> errors.add(error), this::start);
        completions.add(new Completions.Completion() {
            @Override
            public void complete() {
                completed.countDown();
            }

            @Override
            public String what() {
                return "the test's";
            }
        });
        while (failures <= FAILURES) {
            boolean isLeft = completions.tick();
            // The completer that this call started may have completed it.
            assertThat(isLeft || failures > FAILURES)
                    .as("there is something to complete")
                    .isTrue();
        }
        assertThat(completed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(errors).hasSize(FAILURES);
        completions.close(TimeUnit.SECONDS.toNanos(10));
    }
}
