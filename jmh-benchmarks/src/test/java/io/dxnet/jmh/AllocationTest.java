package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

@SuppressWarnings("rawtypes") // as JMH declares results
class AllocationTest {
    @Test
    void shouldReturnBytesPerOperation() {
        assertThat(Allocation.perOperation(Map.of(
                        Allocation.RATE, result(Allocation.RATE, 12),
                        Allocation.PER_OPERATION, result(Allocation.PER_OPERATION, 24))))
                .isEqualTo(24);
    }

    @Test
    void shouldReturnZeroWhereNothingWasAllocated() {
        assertThat(Allocation.perOperation(Map.of(Allocation.RATE, result(Allocation.RATE, 0))))
                .isZero();
    }

    @Test
    void shouldRefuseWhereNothingWasMeasured() {
        Map<String, Result> unknown = Map.of(Allocation.RATE, result(Allocation.RATE, Double.NaN));

        assertThatIllegalStateException().isThrownBy(() -> Allocation.perOperation(unknown));
        assertThatIllegalStateException().isThrownBy(() -> Allocation.perOperation(Map.of()));
    }

    private static Result result(String label, double value) {
        return new ScalarResult(label, value, "B", AggregationPolicy.AVG);
    }
}
