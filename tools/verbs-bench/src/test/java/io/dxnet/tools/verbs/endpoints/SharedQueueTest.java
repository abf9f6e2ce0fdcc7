package io.dxnet.tools.verbs.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedQueueTest {
    @Test
    void shouldGiveRoomBackWithCompletionsInWhateverOrderTheyAreHandedIn() {
        SharedQueue queue = new SharedQueue(2, 1, 8);
        assertThat(queue.take(0, 8)).isTrue();
        assertThat(queue.take(0, 1)).isFalse();
        queue.complete(1, 0, 4);
        queue.complete(1, 0, 2); // was polled before, is handed in after
        assertThat(queue.done(1, 0)).isEqualTo(4);
        assertThat(queue.done(0, 0)).isZero();
        assertThat(queue.take(0, 5)).isFalse();
        assertThat(queue.take(0, 4)).isTrue();
    }

    @Test
    void shouldKeepQueuePairsApart() {
        SharedQueue queue = new SharedQueue(1, 2, 4);
        assertThat(queue.take(0, 4)).isTrue();
        assertThat(queue.take(1, 4)).isTrue();
        queue.complete(0, 1, 3);
        assertThat(queue.take(0, 1)).isFalse();
        assertThat(queue.take(1, 3)).isTrue();
    }
}
