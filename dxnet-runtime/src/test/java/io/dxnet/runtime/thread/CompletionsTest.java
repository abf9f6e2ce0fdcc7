package io.dxnet.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CompletionsTest {
    /** More often than there may be completers. */
    private static final int FAILURES = 40;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final CountDownLatch completed = new CountDownLatch(1);
    private int failures;

    private Thread start(Runnable task, String name) {
        if (failures++ < FAILURES) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task, name);
    }

    private Completions completions(Supplier<Queue<Completions.Completion>> queues) {
        return new Completions("test", (what, error) -> errors.add(error), this::start, queues);
    }

    private static Completions.Completion completion(CountDownLatch completed) {
        return new Completions.Completion() {
            @Override
            public void complete() {
                completed.countDown();
            }

            @Override
            public String what() {
                return "the test's";
            }
        };
    }

    /** A short lack of threads delays a future; it does not stop futures for good. */
    @Test
    void shouldCompleteWhenThreadsCanBeStartedAgain() throws InterruptedException {
        Completions completions = completions(ConcurrentLinkedQueue::new);
        completions.add(completion(completed));
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

    @SuppressWarnings("serial") // never serialized
    private static final class FullQueue extends ConcurrentLinkedQueue<Completions.Completion> {
        @Override
        public boolean add(Completions.Completion completion) {
            throw new OutOfMemoryError("the test wants it");
        }
    }

    /** As two connections of one barrier do that end: the second time it is still there. */
    @Test
    void shouldCompleteWhatTheQueueHasNoMemoryFor() throws InterruptedException {
        Completions completions = completions(FullQueue::new);
        CountDownLatch firstDone = new CountDownLatch(1);
        CountDownLatch secondDone = new CountDownLatch(1);
        Completions.Completion first = completion(firstDone);
        Completions.Completion second = completion(secondDone);
        for (Completions.Completion each : List.of(first, second, second)) {
            completions.add(each);
        }
        assertThat(completions.tick()).isTrue();
        failures = FAILURES; // from now on, threads can be started
        completions.tick();
        assertThat(firstDone.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(secondDone.await(20, TimeUnit.SECONDS)).isTrue();
        completions.close(TimeUnit.SECONDS.toNanos(10));
        assertThat(completions.tick()).as("nothing is left").isFalse();
    }

    /** There is no memory at its first attempt. */
    private static Completions.Completion failing(String what, boolean mayRepeat, List<String> attempts) {
        return new Completions.Completion() {
            @Override
            public void complete() {
                attempts.add(what);
                if (attempts.indexOf(what) == attempts.size() - 1) {
                    throw new OutOfMemoryError("the test wants it");
                }
            }

            @Override
            public boolean mayRepeat() {
                return mayRepeat;
            }

            @Override
            public String what() {
                return what;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRepeatWhatMayBeRepeatedWhereItHadNoMemory(boolean mayRepeat) throws InterruptedException {
        failures = FAILURES;
        Completions completions = completions(ConcurrentLinkedQueue::new);
        List<String> attempts = new CopyOnWriteArrayList<>();
        completions.add(failing("the test's", mayRepeat, attempts));
        Cluster.await("the report of its error", () -> errors.size() == 1);
        completions.tick();
        completions.close(TimeUnit.SECONDS.toNanos(20));
        assertThat(attempts).hasSize(mayRepeat ? 2 : 1);
    }

    @SuppressWarnings("serial") // never serialized
    private static final class OnceFullQueue extends ConcurrentLinkedQueue<Completions.Completion> {
        private boolean thrown;

        @Override
        public boolean add(Completions.Completion completion) {
            if (!thrown) {
                thrown = true;
                throw new OutOfMemoryError("the test wants it");
            }
            return super.add(completion);
        }
    }

    /** The dependents of the others may last. */
    @Test
    void shouldCompleteFirstWhatTheQueueHadNoMemoryFor() throws InterruptedException {
        Completions completions = completions(OnceFullQueue::new);
        List<String> attempts = new CopyOnWriteArrayList<>();
        completions.add(failing("kept", true, attempts));
        completions.add(failing("queued", false, attempts));
        failures = FAILURES; // from now on, threads can be started
        errors.clear(); // of the threads
        completions.tick();
        Cluster.await("the report of their errors", () -> errors.size() == 1);
        assertThat(attempts).containsExactly("kept", "queued");
        completions.tick();
        completions.close(TimeUnit.SECONDS.toNanos(20));
        assertThat(attempts).containsExactly("kept", "queued", "kept");
    }

    /** Also where it is the node's end: no tick follows. */
    @Test
    void shouldCompleteTheKeptOnesWhereOneOfThemFails() throws InterruptedException {
        Completions completions = completions(FullQueue::new);
        CountDownLatch firstDone = new CountDownLatch(1);
        CountDownLatch lastDone = new CountDownLatch(1);
        List<String> attempts = new CopyOnWriteArrayList<>();
        completions.add(completion(firstDone));
        completions.add(failing("between them", true, attempts));
        completions.add(completion(lastDone));
        completions.close(TimeUnit.SECONDS.toNanos(20));
        assertThat(firstDone.getCount()).isZero();
        assertThat(lastDone.getCount()).isZero();
        assertThat(attempts).as("once in each round").hasSize(1);
        assertThat(errors.getLast()).hasMessage("the test wants it");
    }

    private static Completions.Completion lasting(CountDownLatch begun, CountDownLatch end) {
        return new Completions.Completion() {
            @Override
            public void complete() {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public String what() {
                return "lasting";
            }
        };
    }

    @Test
    void shouldCompleteAKeptOneWhileTheDependentsOfAnotherLast() throws InterruptedException {
        Completions completions = completions(FullQueue::new);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        completions.add(lasting(begun, end));
        completions.add(completion(completed));
        failures = FAILURES; // from now on, threads can be started
        completions.tick();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        completions.tick();
        assertThat(completed.await(20, TimeUnit.SECONDS)).isTrue();
        end.countDown();
        completions.close(TimeUnit.SECONDS.toNanos(20));
    }
}
