package io.dxnet.tools.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GetsComparisonTest {
    @Test
    void shouldStateWhereMemoryLoses() {
        assertThat(GetsComparison.verdict(0.5, 0.9, 1)).isEqualTo("memory loses in none");
        assertThat(GetsComparison.verdict(1.5, 0.9, 1)).isEqualTo("memory loses in p50 (1.50 times)");
        assertThat(GetsComparison.verdict(0.5, 2, 1.25))
                .isEqualTo("memory loses in p99 (2.00 times), operations/s (1.25 times)");
    }

    @Test
    void shouldCountFallbacksByTheirReason() {
        GetCounts.Counter counter = new GetCounts.Counter();
        counter.add(GetAnswer.MEMORY);
        GetCounts before = counter.counts();
        counter.add(GetAnswer.MEMORY);
        counter.add(GetAnswer.NO_SLOT);
        counter.add(GetAnswer.TIMED_OUT);
        GetCounts since = counter.counts().since(before);
        assertThat(since.of(GetAnswer.MEMORY)).isEqualTo(1);
        assertThat(since.of(GetAnswer.NO_SLOT)).isEqualTo(1);
        assertThat(since.of(GetAnswer.LARGE_ROW)).isZero();
        assertThat(since.fallbacks()).isEqualTo(2);
        assertThat(GetCounts.NONE.fallbacks()).isZero();
        assertThat(GetCounts.NONE.plus(since)).isEqualTo(since);
        assertThat(since.toMap()).containsAllEntriesOf(Map.of("MEMORY", 1L, "NOT_ATTACHED", 0L));
    }
}
