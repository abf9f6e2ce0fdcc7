package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AttachmentTableTest {
    private static Attachment attachment(long id) {
        return new Attachment(id, 1, 1, null, null);
    }

    /** Numbers that differ above the lowest bits alone have one place. */
    @ParameterizedTest
    @ValueSource(longs = {1, 1 << 10, 1L << 40})
    void shouldHoldWhatAMapHolds(long step) {
        AttachmentTable table = new AttachmentTable();
        Map<Long, Attachment> model = new HashMap<>();
        Random random = new Random(step);
        for (int i = 0; i < 20_000; i++) {
            long id = (random.nextInt(40) - 20) * step;
            if (random.nextInt(3) > 0) {
                table.remove(id); // each number is one attachment's
                Attachment added = attachment(id);
                table.put(added);
                model.put(id, added);
            } else {
                assertThat(table.remove(id)).isSameAs(model.remove(id));
            }
            assertThat(table.find(id)).isSameAs(model.get(id));
            assertThat(table.size()).isEqualTo(model.size());
            if (i % 100 == 0) {
                assertThat(table.all()).containsExactlyInAnyOrderElementsOf(model.values());
                for (long each = -20; each < 20; each++) {
                    assertThat(table.find(each * step)).isSameAs(model.get(each * step));
                }
            }
        }
    }

    @Test
    void shouldFindOneWhileOthersComeAndLeave() throws Exception {
        AttachmentTable table = new AttachmentTable();
        Attachment lasting = attachment(16);
        table.put(lasting);
        FutureTask<Void> changes = new FutureTask<>(
                () -> {
                    for (int i = 0; i < 2000; i++) {
                        table.put(attachment(32L * i));
                        table.remove(32L * (i - 3));
                    }
                },
                null);
        new Thread(changes, "test-changes").start();
        while (!changes.isDone()) {
            assertThat(table.find(16)).isSameAs(lasting);
        }
        changes.get();
    }

    /** Else both end its access to a device. */
    @Test
    void shouldLetOneThreadRemoveOne() throws Exception {
        AttachmentTable table = new AttachmentTable();
        for (int i = 0; i < 2000; i++) {
            Attachment added = attachment(i);
            table.put(added);
            FutureTask<Attachment> other = new FutureTask<>(() -> table.remove(added.id));
            Thread thread = Thread.ofPlatform().start(other);
            Attachment removed = table.remove(added.id);
            thread.join();
            assertThat(other.get() == null).isEqualTo(removed != null);
            assertThat(table.find(added.id)).isNull();
            assertThat(table.size()).isZero();
        }
    }
}
