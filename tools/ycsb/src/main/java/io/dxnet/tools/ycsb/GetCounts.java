package io.dxnet.tools.ycsb;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What answered the gets by memory.
 *
 * @param counts a number for each
 */
record GetCounts(Map<GetAnswer, Long> counts) {
    static final GetCounts NONE = new GetCounts(Map.of());

    GetCounts {
        Map<GetAnswer, Long> copy = new EnumMap<>(GetAnswer.class);
        copy.putAll(counts);
        counts = Collections.unmodifiableMap(copy);
    }

    long of(GetAnswer answer) {
        return counts.getOrDefault(answer, 0L);
    }

    /** {@return the gets that a message answered} */
    long fallbacks() {
        return counts.values().stream().mapToLong(Long::longValue).sum() - of(GetAnswer.MEMORY);
    }

    GetCounts plus(GetCounts other) {
        return combined(other, 1);
    }

    GetCounts since(GetCounts before) {
        return combined(before, -1);
    }

    /** {@return one entry for each} */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (GetAnswer each : GetAnswer.values()) {
            map.put(each.name(), of(each));
        }
        return map;
    }

    private GetCounts combined(GetCounts other, int sign) {
        Map<GetAnswer, Long> sum = new EnumMap<>(GetAnswer.class);
        for (GetAnswer each : GetAnswer.values()) {
            sum.put(each, of(each) + sign * other.of(each));
        }
        return new GetCounts(sum);
    }

    /** Counts. Any thread. */
    static final class Counter {
        private final Map<GetAnswer, LongAdder> adders = new EnumMap<>(GetAnswer.class);

        Counter() {
            for (GetAnswer each : GetAnswer.values()) {
                adders.put(each, new LongAdder());
            }
        }

        void add(GetAnswer answer) {
            adders.get(answer).increment();
        }

        /** {@return what was counted so far} */
        GetCounts counts() {
            Map<GetAnswer, Long> sums = new EnumMap<>(GetAnswer.class);
            adders.forEach((answer, adder) -> sums.put(answer, adder.sum()));
            return new GetCounts(sums);
        }
    }
}
