package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dxnet.tools.report.Rtt;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaseResultTest {
    private static CaseResult.Run run(long messages, long nanos, double micros) {
        Rtt times = new Rtt(micros, micros, micros, micros, micros, micros, micros);
        return new CaseResult.Run(messages, new Outcome(nanos, messages, 0), times);
    }

    @Test
    void shouldCountBothDirectionsOfBiAndGiveTheSpanOfTheRuns() {
        List<CaseResult.Run> runs = List.of(run(1000, 1_000_000, 1), run(1000, 2_000_000, 3));
        CaseResult uni = new CaseResult(new Case(Pattern.UNI, Transfer.SEND, 100), runs, null, 0);
        assertThat(uni.messagesPerSecond().max()).isEqualTo(1e6, within(1e-3));
        assertThat(uni.messagesPerSecond().min()).isEqualTo(5e5, within(1e-3));
        assertThat(uni.payloadBytesPerSecond().avg()).isEqualTo(7.5e7, within(1e-3));
        CaseResult bi = new CaseResult(new Case(Pattern.BI, Transfer.SEND, 100), runs, null, 0);
        assertThat(bi.messagesPerSecond().max()).isEqualTo(2e6, within(1e-3));
        assertThat(bi.times().avg()).isEqualTo(2);
        assertThat(bi.timesMin().avg()).isEqualTo(1);
        assertThat(bi.timesMax().avg()).isEqualTo(3);
    }

    @Test
    void shouldCompareRatesAndTimesWithTheReference() {
        List<CaseResult.Run> runs = List.of(run(1000, 1_000_000, 30));
        CaseResult rate = new CaseResult(new Case(Pattern.UNI, Transfer.SEND, 100), runs, null, 0);
        PerftestResult fast = new PerftestResult(PerftestProgram.SEND_BW, 1, 2e6, 2e8, 0, 0, 0, 0);
        assertThat(rate.ratio(fast)).isEqualTo(0.5, within(1e-9));
        CaseResult time = new CaseResult(new Case(Pattern.PING_PONG, Transfer.SEND, 100), runs, null, 0);
        PerftestResult quick = new PerftestResult(PerftestProgram.SEND_LAT, 1, 0, 0, 20, 20, 20, 20);
        assertThat(time.ratio(quick)).isEqualTo(1.5, within(1e-9));
    }
}
