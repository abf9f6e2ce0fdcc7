package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCheckerTest {
    private static final long KEY = Payload.streamKey(1, 2, 3, 4);

    private static Faults check(int size, long sent, long... sequence) {
        StreamChecker checker = new StreamChecker(KEY, size);
        for (long number : sequence) {
            good(checker, size, number);
        }
        return checker.faults(sent);
    }

    private static void good(StreamChecker checker, int size, long number) {
        checker.onMessage(
                size,
                Payload.truncate(number, Payload.sequenceBits(size)),
                Payload.truncate(KEY, Payload.keyBits(size)),
                true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 12, 16, 64})
    void shouldFindNothingWhenAllIsWell(int size) {
        assertThat(check(size, 1000, LongStream.range(0, 1000).toArray())).isEqualTo(Faults.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64})
    void shouldCountLostMessages(int size) {
        assertThat(check(size, 6, 0, 1, 3, 5)).isEqualTo(new Faults(2, 0, 0, 0));
        assertThat(check(size, 6, 0, 1, 2)).as("at the end").isEqualTo(new Faults(3, 0, 0, 0));
        assertThat(check(size, 3)).as("all").isEqualTo(new Faults(3, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64})
    void shouldCountDuplicatedMessages(int size) {
        assertThat(check(size, 4, 0, 1, 1, 2, 0, 3)).isEqualTo(new Faults(0, 2, 0, 0));
        assertThat(check(size, 4, 0, 2, 1, 1, 3)).as("a late one").isEqualTo(new Faults(0, 1, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64})
    void shouldCountReorderedMessages(int size) {
        assertThat(check(size, 4, 0, 2, 1, 3)).isEqualTo(new Faults(0, 0, 1, 0));
        assertThat(check(size, 6, 5, 0, 4, 1, 3, 2)).isEqualTo(new Faults(0, 0, 5, 0));
    }

    @Test
    void shouldTellTheKindsOfFaultsApart() {
        StreamChecker checker = new StreamChecker(KEY, 64);
        good(checker, 64, 0);
        good(checker, 64, 2);
        good(checker, 64, 1);
        good(checker, 64, 2);
        checker.onMessage(64, 3, KEY, false);
        good(checker, 64, 5);
        assertThat(checker.faults(6)).isEqualTo(new Faults(1, 1, 1, 1));
    }

    @Test
    void shouldCountCorruptedMessagesOfOtherStreamsSizesAndContents() {
        StreamChecker checker = new StreamChecker(KEY, 64);
        checker.onMessage(64, 0, KEY, false);
        checker.onMessage(63, 1, KEY, true);
        checker.onMessage(64, 2, KEY + 1, true);
        assertThat(checker.faults(3)).isEqualTo(new Faults(0, 0, 0, 3));
        assertThat(checker.received()).isEqualTo(3);
    }

    @Test
    void shouldFindALossOfAWholeRangeOfSmallNumbersByTheCount() {
        long[] sequence = LongStream.concat(LongStream.range(0, 100), LongStream.range(356, 400))
                .toArray();
        assertThat(check(1, 400, sequence)).isEqualTo(new Faults(256, 0, 0, 0));
    }

    @Test
    void shouldCountMoreThanWereSentAsDuplicated() {
        assertThat(check(8, 2, 0, 1, 2)).isEqualTo(new Faults(0, 1, 0, 0));
    }
}
