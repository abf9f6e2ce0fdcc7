package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.WcStatus;
import io.dxnet.transport.ib.qp.CompletionErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The parts that stand alone. */
class PartsTest {
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "65535, 255, 255", "0, 255, 0", "65535, 0, 0", "0, 0, 255", "4711, 17, 129"})
    void shouldCarryNodeStepsAndSignalsInTheImmediateData(int nodeId, int steps, int signals) {
        int immediate = ImmediateData.of(nodeId, steps, signals);
        assertThat(ImmediateData.nodeId(immediate)).isEqualTo(nodeId);
        assertThat(ImmediateData.steps(immediate)).isEqualTo(steps);
        assertThat(ImmediateData.signals(immediate)).isEqualTo(signals);
    }

    @ParameterizedTest
    @EnumSource(WcStatus.class)
    void shouldExplainEveryStatus(WcStatus status) {
        assertThat(CompletionErrors.describe(7, "sending", status))
                .startsWith("sending failed: ")
                .endsWith("(" + status + ")");
    }

    @Test
    void shouldNameTheNodeWhereItIsTheCause() {
        for (WcStatus status : List.of(WcStatus.RETRY_EXC_ERR, WcStatus.RNR_RETRY_EXC_ERR, WcStatus.REM_OP_ERR)) {
            assertThat(CompletionErrors.describe(7, "sending", status)).contains("node 7");
        }
    }

    // ---------------------------------------------------------------- connection slots

    private static IbConnection connection() {
        return IbNodes.unconnected();
    }

    @Test
    void shouldFindAConnectionByItsPresentRequestIdOnly() {
        ConnectionSlots slots = new ConnectionSlots(1);
        Set<Long> past = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            IbConnection connection = connection();
            int slot = slots.take(connection);
            assertThat(slots.find(connection.requestId())).isSameAs(connection);
            for (long stale : past) {
                assertThat(slots.find(stale)).isNull();
            }
            past.add(connection.requestId());
            assertThat(past).as("no number comes twice").hasSize(i + 1);
            slots.free(slot);
            assertThat(slots.find(connection.requestId())).isNull();
        }
    }

    @Test
    void shouldNotFindWhatWasNeverGiven() {
        ConnectionSlots slots = new ConnectionSlots(2);
        slots.take(connection());
        for (long id : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 2, 1L << 32 | 2, 2L << 32}) {
            assertThat(slots.find(id)).as("%x", id).isNull();
        }
    }

    @Test
    void shouldSayWhenThereIsNoneLeft() {
        ConnectionSlots slots = new ConnectionSlots(3);
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            taken.add(slots.take(connection()));
        }
        assertThat(taken).doesNotHaveDuplicates().doesNotContain(-1);
        assertThat(slots.take(connection())).isEqualTo(-1);
        assertThat(slots.used()).isEqualTo(3);
        slots.free(taken.get(1));
        assertThat(slots.take(connection())).isEqualTo(taken.get(1));
    }
}
