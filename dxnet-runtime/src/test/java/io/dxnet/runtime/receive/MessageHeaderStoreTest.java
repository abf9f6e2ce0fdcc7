package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.transport.IncomingBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MessageHeaderStoreTest {
    private final Buffers buffers = new Buffers();

    @AfterEach
    void close() {
        buffers.close();
    }

    @Test
    void shouldGiveRunsAndSplitMessagesInOrderRoundAndRound() {
        MessageHeaderStore store = new MessageHeaderStore(4);
        IncomingBuffer buffer = buffers.ofLength(100);
        SplitMessage split = new SplitMessage();
        Batch batch = new Batch();
        for (int round = 0; round < 10; round++) {
            assertThat(store.isEmpty()).isTrue();
            assertThat(store.poll(batch)).isFalse();
            assertThat(store.offerRun(buffer, round, Integer.MAX_VALUE, 0)).isTrue();
            assertThat(store.offerSplit(split)).isTrue();
            assertThat(store.offerRun(buffer, 7, 8, 1)).isTrue();
            assertThat(store.isEmpty()).isFalse();
            assertThat(store.poll(batch)).isTrue();
            assertThat(batch.buffer).isSameAs(buffer);
            assertThat(batch.split).isNull();
            assertThat(batch.start).isEqualTo(round);
            assertThat(batch.end).isEqualTo(Integer.MAX_VALUE);
            assertThat(batch.epoch).isZero();
            assertThat(store.poll(batch)).isTrue();
            assertThat(batch.split).isSameAs(split);
            assertThat(batch.buffer).isNull();
            assertThat(store.poll(batch)).isTrue();
            assertThat(batch.start).isEqualTo(7);
            assertThat(batch.epoch).isEqualTo(1);
            assertThat(batch.split).isNull();
        }
    }

    @Test
    void shouldRefuseWhenItIsFull() {
        MessageHeaderStore store = new MessageHeaderStore(2);
        IncomingBuffer buffer = buffers.ofLength(1);
        Batch batch = new Batch();
        assertThat(store.hasRoom()).isTrue();
        assertThat(store.offerRun(buffer, 1, 2, 0)).isTrue();
        assertThat(store.offerRun(buffer, 2, 3, 0)).isTrue();
        assertThat(store.hasRoom()).isFalse();
        assertThat(store.offerRun(buffer, 3, 4, 0)).isFalse();
        assertThat(store.offerSplit(new SplitMessage())).isFalse();
        assertThat(store.poll(batch)).isTrue();
        assertThat(batch.start).isEqualTo(1);
        assertThat(store.hasRoom()).isTrue();
        assertThatThrownBy(() -> new MessageHeaderStore(3)).hasMessageContaining("3");
    }

    @Test
    void shouldGiveEachEntryToOneOfManyHandlersEachInOrder() throws InterruptedException {
        int count = 200_000;
        int handlers = 4;
        MessageHeaderStore store = new MessageHeaderStore(16);
        IncomingBuffer buffer = buffers.ofLength(1);
        AtomicIntegerArray seen = new AtomicIntegerArray(count);
        AtomicReference<String> wrong = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int h = 0; h < handlers; h++) {
            threads.add(Thread.ofPlatform().start(() -> {
                Batch batch = new Batch();
                int last = -1;
                while (last < count) { // the entries from count on mark the end, one for each
                    if (!store.poll(batch)) {
                        Thread.yield();
                        continue;
                    }
                    if (batch.start <= last || batch.end != batch.start + 1) {
                        wrong.set(batch.start + " after " + last);
                    }
                    last = batch.start;
                    if (last < count) {
                        seen.incrementAndGet(last);
                    }
                }
            }));
        }
        for (int i = 0; i < count + handlers; i++) {
            while (!store.offerRun(buffer, i, i + 1, 0)) {
                Thread.yield();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong.get()).isNull();
        for (int i = 0; i < count; i++) {
            assertThat(seen.get(i)).isEqualTo(1);
        }
    }
}
