package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.runtime.thread.Completions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OrderedNotificationsTest {
    private final List<String> errors = new ArrayList<>();
    private final Completions completions = new Completions("test-completer", (what, error) -> report(what));
    private final Services services =
            new Services(null, null, null, completions, null, null, (what, error) -> report(what), () -> null);
    private final OwnedRegion region = new OwnedRegion(
            new OwnedRegions(services, 1),
            1,
            "region",
            MemorySegment.ofArray(new byte[8]),
            EnumSet.allOf(Right.class),
            Peers.all(),
            1);
    private final OrderedNotifications notifications = new OrderedNotifications(region, services);

    private synchronized void report(String what) {
        errors.add(what);
    }

    private synchronized List<String> errors() {
        return List.copyOf(errors);
    }

    /** With random pauses, so that the places grow while the first one is anywhere. */
    @Test
    void shouldDeliverAllOfEachPeerInItsOrder() throws Exception {
        int peers = 3;
        int each = 20_000;
        int[] last = new int[peers];
        CountDownLatch all = new CountDownLatch(peers * each);
        Random pauses = new Random(1);
        AtomicInteger running = new AtomicInteger();
        region.onNotify((from, offset, length, value) -> {
            boolean isAlone = running.getAndIncrement() == 0;
            if (!isAlone || value != last[from] + 1 || offset != -value || length != value * 3_000_000_000L) {
                report("after " + last[from] + " of " + from + " came " + value + " " + offset + " " + length);
            }
            last[from] = value;
            for (int i = pauses.nextInt(200) == 0 ? 20_000 : 0; i > 0; i--) {
                Thread.onSpinWait();
            }
            running.getAndDecrement();
            all.countDown();
        });
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            int from = i;
            FutureTask<Void> task = new FutureTask<>(
                    () -> {
                        for (int value = 1; value <= each; value++) {
                            notifications.onNotify(from, -value, value * 3_000_000_000L, value);
                        }
                    },
                    null);
            tasks.add(task);
            new Thread(task, "test-peer-" + i).start();
        }
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldReportThoseThatItDrops() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger delivered = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(OrderedNotifications.WAITING_MAX + 1);
        region.onNotify((from, offset, length, value) -> {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                report("interrupted");
            }
            if (value != delivered.getAndIncrement()) {
                report("another one than the next");
            }
            all.countDown();
        });
        notifications.onNotify(65_535, 0, 1, 0);
        begun.await();
        for (int i = 1; i <= OrderedNotifications.WAITING_MAX; i++) {
            notifications.onNotify(65_535, 0, 1, i);
        }
        assertThat(errors()).isEmpty();
        notifications.onNotify(65_535, 0, 1, -1);
        assertThat(errors()).hasSize(1).first().asString().contains("node 65535", "dropped");
        released.countDown();
        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(errors()).hasSize(1);
    }

    @Test
    void shouldContinueAfterAListenerThatFails() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        region.onNotify((from, offset, length, value) -> {
            all.countDown();
            if (value == 0) {
                throw new IllegalStateException("of the test");
            }
            throw new AssertionError("of the test");
        });
        for (int i = 0; i < 3; i++) {
            notifications.onNotify(1, 0, 1, i);
        }
        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
