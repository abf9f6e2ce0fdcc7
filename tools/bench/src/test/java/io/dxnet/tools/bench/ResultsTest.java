package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final byte[] NONE = {};
    private static final long[] NO_TIMELINE = {};

    @Test
    void shouldCountHeapAndProcessorTimeOfAProcessWithTwoNodesOnce() {
        NodeResult a = new NodeResult(100, Faults.NONE, 5000, 900, 7, 1, Access.NONE, 0, "", NONE, NO_TIMELINE);
        NodeResult b = new NodeResult(300, Faults.NONE, 4000, 1000, 9, 1, Access.CARRIED, 0, "", NONE, NO_TIMELINE);
        NodeResult c =
                new NodeResult(0, new Faults(1, 2, 3, 4), 3000, 200, 8, 2, Access.ONE_SIDED, 0, "", NONE, NO_TIMELINE);
        RunResult run = RunResult.of(List.of(a, b, c), 2_000_000_000L, 0);
        assertThat(run.messages()).isEqualTo(400);
        assertThat(run.messagesPerSecond()).isEqualTo(200);
        assertThat(run.allocatedBytesPerMessage()).isEqualTo(20);
        assertThat(run.cpuNanosPerMessage()).isEqualTo(3);
        assertThat(run.faults()).isEqualTo(new Faults(1, 2, 3, 4));
    }

    @Test
    void shouldSurviveTheWayOverTheNetwork() {
        Histogram times = new Histogram(60_000_000_000L, 3);
        times.recordValue(12_345);
        ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        byte[] encoded = Arrays.copyOf(buffer.array(), times.encodeIntoByteBuffer(buffer));
        NodeResult sent = new NodeResult(
                1, new Faults(2, 3, 4, 5), 6, 7, 11, 8, Access.ONE_SIDED, 9, "nine", encoded, new long[] {1, 2, 3, 4});
        assertThat(NodeResult.decode(sent.encode())).usingRecursiveComparison().isEqualTo(sent);
        RunResult run = RunResult.of(List.of(sent, sent), 1, 0);
        assertThat(run.times().getTotalCount()).isEqualTo(2);

        RoundSpec spec =
                new RoundSpec(9, Pattern.RING, 64, 3, 10, 5, true, Api.RECORDS, 32, 4, 8, true, 6, new int[] {1, 4, 7});
        RoundSpec decoded = RoundSpec.decode(spec.encode());
        assertThat(decoded).usingRecursiveComparison().isEqualTo(spec);
        assertThat(decoded.index(4)).isEqualTo(1);
        assertThat(decoded.index(5)).isEqualTo(-1);
    }

    @Test
    void shouldShareMessagesAmongThreads() {
        RoundSpec spec =
                new RoundSpec(1, Pattern.UNI, 64, 3, 10, 0, false, Api.MESSAGES, 1, 1, 0, false, 1, new int[] {0, 1});
        assertThat(List.of(spec.share(0), spec.share(1), spec.share(2))).containsExactly(4L, 3L, 3L);
    }

    @Test
    void shouldGiveAverageMinimumAndMaximum() {
        Span span = Span.of(List.of(3.0, 1.0, 2.0), Double::doubleValue);
        assertThat(span).isEqualTo(new Span(2, 1, 3));
        assertThat(span.times(2)).isEqualTo(new Span(4, 2, 6));
    }

    @Test
    void shouldReadPercentilesInMicroseconds() {
        Histogram times = new Histogram(60_000_000_000L, 3);
        for (int i = 1; i <= 1000; i++) {
            times.recordValue(i * 1000L);
        }
        Rtt rtt = Rtt.of(times);
        assertThat(rtt.avg()).isCloseTo(500.5, within(1.0));
        assertThat(rtt.p50()).isCloseTo(500, within(1.0));
        assertThat(rtt.p95()).isCloseTo(950, within(1.0));
        assertThat(rtt.p99()).isCloseTo(990, within(1.0));
        assertThat(rtt.p999()).isCloseTo(999, within(1.0));
        assertThat(rtt.max()).isCloseTo(1000, within(1.0));
        Rtt other = new Rtt(1, 2, 3, 4, 5, 6, 6000);
        assertThat(Rtt.combine(List.of(rtt, other), Math::min).p50()).isEqualTo(2);
        assertThat(Rtt.combine(List.of(rtt, other), Math::max).max()).isEqualTo(6000);
    }

    @Test
    void shouldAddWhatNodesNotedOverTime() {
        long ms = 1_000_000;
        long[] steady = {10 * ms, 10, 60 * ms, 60, 210 * ms, 210};
        long[] late = {100 * ms, 0, 150 * ms, 100};
        Course course = Course.of(List.of(steady, late), 0);
        assertThat(course.messages()).containsExactly(new double[] {50, 50, 150, 50}, within(1e-6));
        assertThat(course.rate(0)).isCloseTo(1000, within(1e-6));
        assertThat(course.rate(0, 0.5)).isCloseTo(1000, within(1e-6));
        assertThat(course.rate(0.5, 1)).isCloseTo(2000, within(1e-6));
        assertThat(Course.of(List.of(steady, late), 100 * ms).intervals()).isEqualTo(2);
        assertThat(Course.of(List.of(new long[0]), 0).intervals()).isZero();
    }

    @Test
    void shouldNoteNothingTwiceAtOnce() {
        Timeline timeline = new Timeline();
        timeline.add(1, 1);
        timeline.add(Timeline.SAMPLE_NS, 2);
        for (int i = 1; i < 100; i++) {
            timeline.add(1 + i * Timeline.SAMPLE_NS, i);
        }
        assertThat(timeline.encode()).hasSize(200).startsWith(1, 1, 1 + Timeline.SAMPLE_NS, 1);
    }

    @Test
    void shouldLimitLargeMessagesByTheirBytes() {
        Plan plan = new Plan(1_000_000, 0, 1, 2, 1, false, 1L << 33, 1, 0, 15);
        assertThat(plan.messages(1)).isEqualTo(1_000_000);
        assertThat(plan.messages(1 << 26)).isEqualTo(128);
    }

    @Test
    void shouldCountAPauseAsProgress() {
        Plan plan = new Plan(10, 0, 1, 2, 1, false, 1L << 33, 1, 1_000_000, 1);
        Point point = new Point(new Setup("nio", 2, 0, null), Pattern.RTT, 1, 64);
        RoundSpec spec = plan.measured(1, point, new int[] {0, 1});
        assertThat(spec.pauseNs()).isEqualTo(1_000_000_000);
        assertThat(spec.stallNs()).isEqualTo(2_000_000_000);
    }

    @Test
    void shouldFindWhenTheRateIsSteady() {
        double[] messages = new double[40];
        Arrays.fill(messages, 1000);
        Arrays.fill(messages, 0, 10, 10);
        messages[3] = 1500; // one interval alone does not count
        // From the 11th interval on the rate is steady; of five intervals together at the 15th.
        assertThat(new Course(messages).steadyAfterNs()).isEqualTo(15 * Course.INTERVAL_NS);
        assertThat(new Course(new double[8]).steadyAfterNs()).as("too short").isEqualTo(-1);
    }

    @Test
    void shouldReportTheAgeAtWhichTheRateWasSteady() {
        double[] messages = new double[40];
        Arrays.fill(messages, 1000);
        RunResult run = new RunResult(1, 1, Faults.NONE, 0, 0, 2_000_000_000L, Access.NONE, null, new Course(messages));
        RunResult later =
                new RunResult(1, 1, Faults.NONE, 0, 0, 5_000_000_000L, Access.NONE, null, new Course(messages));
        Point point = new Point(new Setup("nio", 2, 0, null), Pattern.UNI, 1, 64);
        assertThat(new PointResult(point, Faults.NONE, List.of(run, later)).steadyAtSeconds())
                .isEqualTo(2.25);
    }
}
