package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterestQueueTest {
    private static final int CONNECT = 1;
    private static final int READ = 1 << 2;
    private static final int WRITE = 1 << 4;
    private static final int CLOSE = 1 << 5;

    private final InterestQueue queue = new InterestQueue();

    private List<String> drain() {
        List<String> drained = new ArrayList<>();
        queue.drain((id, bits) -> drained.add(id + ":" + bits));
        return drained;
    }

    @Test
    void shouldKeepTheOrderOfFirstInterestsAndCombineTheOthers() {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.post(7, WRITE)).isTrue();
        assertThat(queue.post(65535, CLOSE)).isTrue();
        assertThat(queue.post(0, READ)).isTrue();
        assertThat(queue.post(7, CONNECT)).isFalse();
        assertThat(queue.post(7, WRITE)).isFalse();
        assertThat(queue.isEmpty()).isFalse();
        assertThat(drain()).containsExactly("7:17", "65535:32", "0:4");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(drain()).isEmpty();
    }

    @Test
    void shouldLeaveWhatTheHandlerPostsForTheNextTime() {
        queue.post(1, WRITE);
        assertThat(queue.drain((id, bits) -> assertThat(queue.post(id, bits)).isTrue()))
                .isEqualTo(1);
        assertThat(drain()).containsExactly("1:16");
    }

    @Test
    void shouldTakeEveryNodeIdAtOnceAndGoRound() {
        for (int lap = 0; lap < 3; lap++) {
            for (int id = 0; id < InterestQueue.IDS; id++) {
                assertThat(queue.post(id, 0x80)).isTrue();
            }
            int[] next = {0};
            int drained = queue.drain((id, bits) -> {
                if (id != next[0]++ || bits != 0x80) {
                    throw new AssertionError(id + ":" + bits);
                }
            });
            assertThat(drained).isEqualTo(InterestQueue.IDS);
        }
    }

    @Test
    void shouldNeverLoseAnInterestWhenPostersRaceWithTheDrainer() throws Exception {
        int ids = 5;
        int posters = 3;
        int posts = 300_000;
        AtomicIntegerArray written = new AtomicIntegerArray(ids);
        AtomicLong wakeups = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < posters; t++) {
            int seed = t;
            threads.add(new Thread(() -> {
                for (int i = 0; i < posts; i++) {
                    int id = (i * 7 + seed) % ids;
                    written.incrementAndGet(id);
                    if (queue.post(id, WRITE)) {
                        wakeups.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        int[] seen = new int[ids];
        long[] drained = {0};
        InterestQueue.Handler handler = (id, bits) -> {
            drained[0]++;
            seen[id] = written.get(id);
        };
        while (threads.stream().anyMatch(Thread::isAlive)) {
            queue.drain(handler);
        }
        queue.drain(handler);
        for (int id = 0; id < ids; id++) {
            assertThat(seen[id]).as("what was posted last for %d", id).isEqualTo(written.get(id));
        }
        assertThat(drained[0]).as("one entry for each first interest").isEqualTo(wakeups.get());
    }
}
