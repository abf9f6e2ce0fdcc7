package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SendBatchTest {
    private final SendBatch batch = new SendBatch();
    private final long memory = LibC.calloc(70_000);

    private void add(int length) {
        assertThat(batch.accepts(length))
                .as("%s bytes behind %s", length, batch.count())
                .isTrue();
        batch.add(memory, length);
    }

    @Test
    void shouldAcceptASmallerDatagramAsTheLastOnly() {
        add(100);
        add(100);
        assertThat(batch.accepts(101)).isFalse();
        add(99);
        assertThat(batch.accepts(99)).isFalse();
        assertThat(batch.accepts(1)).isFalse();
        batch.clear();
        add(101);
    }

    @Test
    void shouldAcceptNoMoreThanTheKernelSendsAtOnce() {
        for (int i = 0; i < 64; i++) {
            add(20);
        }
        assertThat(batch.accepts(20)).isFalse();
        batch.clear();
        for (int i = 0; i < 15; i++) {
            add(4112);
        }
        assertThat(batch.accepts(3827)).isTrue();
        assertThat(batch.accepts(3828)).isFalse();
    }

    @Test
    void shouldReturnEachDatagramAsItWasAdded() {
        Random random = new Random(1);
        for (int round = 0; round < 100; round++) {
            batch.clear();
            int length = 1 + random.nextInt(4200);
            int last = 1 + random.nextInt(length);
            int count = 0;
            for (; count < 1 + random.nextInt(64) && batch.accepts(length); count++) {
                Memory.putByte(memory, count);
                add(length);
            }
            boolean hasLast = batch.accepts(last);
            if (hasLast) {
                Memory.putByte(memory, count);
                add(last);
            }
            assertThat(batch.count()).isEqualTo(count + (hasLast ? 1 : 0));
            for (int i = 0; i < batch.count(); i++) {
                assertThat(batch.datagram(i).capacity()).isEqualTo(i < count ? length : last);
                assertThat(batch.datagram(i).get(0)).isEqualTo((byte) i);
            }
        }
    }
}
