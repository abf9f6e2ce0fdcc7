package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiveBatchTest {
    private final ReceiveBatch batch = new ReceiveBatch();

    @Test
    void shouldStaySingleWhilePacketsComeOneByOne() {
        for (int i = 0; i < 10; i++) {
            batch.received(1);
            batch.received(0);
            assertThat(batch.isSingle()).isTrue();
        }
    }

    @Test
    void shouldGrowToItsMaximumWhileTheSocketIsNotEmptied() {
        for (int i = 0; i < 10; i++) {
            batch.received(batch.size());
        }
        assertThat(batch.size()).isEqualTo(ReceiveBatch.MAX);
        batch.received(ReceiveBatch.MAX);
        batch.received(ReceiveBatch.MAX);
        assertThat(batch.size()).isEqualTo(ReceiveBatch.MAX);
    }

    @Test
    void shouldFollowWhatArrives() {
        for (int i = 0; i < 10; i++) {
            batch.received(batch.size());
        }
        batch.received(5);
        assertThat(batch.size()).isEqualTo(5);
        batch.received(0);
        assertThat(batch.isSingle()).isTrue();
    }
}
