package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.dxnet.tools.cli.ToolException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerftestResultTest {
    private static final String THROUGHPUT = """
            ---------------------------------------------------------------------------------------
                                Send BW Test
             Dual-port       : OFF          Device         : rxe1
             local address: LID 0000 QPN 0x0011 PSN 0x2c1d5b
             GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:77:00:01
            ---------------------------------------------------------------------------------------
             #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
             %s
            ---------------------------------------------------------------------------------------
            """;

    private static final String LATENCY = """
             Conflicting CPU frequency values detected: 800.000000 != 2400.000000. CPU Frequency is not max.
             #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99%% percentile[usec]   99.9%% percentile[usec]
             %s
            ---------------------------------------------------------------------------------------
            """;

    @Test
    void shouldReadTheRateOfSmallMessages() {
        PerftestResult result = PerftestResult.parse(
                PerftestProgram.SEND_BW,
                THROUGHPUT.formatted("64         1000             2.20               2.13               0.034890"));
        assertThat(result.iterations()).isEqualTo(1000);
        assertThat(result.messagesPerSecond()).isCloseTo(34_890, within(0.01));
        assertThat(result.bytesPerSecond()).isCloseTo(2.13 * (1 << 20), within(0.01));
    }

    @Test
    void shouldTakeTheRateOfLargeMessagesFromTheBytesWhichHaveMoreDigits() {
        PerftestResult result = PerftestResult.parse(
                PerftestProgram.WRITE_BW,
                THROUGHPUT.formatted("1048576    10               45.10              44.50              0.000045"));
        assertThat(result.messagesPerSecond()).isCloseTo(44.5, within(0.001));
    }

    @Test
    void shouldDoubleHalfRoundTripsButNotReads() {
        String row =
                "64      1000          14.10          99.00        15.50              16.25            1.10            30.00                   60.00";
        PerftestResult send = PerftestResult.parse(PerftestProgram.SEND_LAT, LATENCY.formatted(row));
        assertThat(send.typicalMicros()).isEqualTo(31);
        assertThat(send.avgMicros()).isEqualTo(32.5);
        assertThat(send.p99Micros()).isEqualTo(60);
        assertThat(send.p999Micros()).isEqualTo(120);
        PerftestResult read = PerftestResult.parse(PerftestProgram.READ_LAT, LATENCY.formatted(row));
        assertThat(read.typicalMicros()).isEqualTo(15.5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"64 1000 0.00 0.00 0.000000", "64 1000 inf inf inf", "64 1000 2.2 2.1", "64 1000 a b c", ""})
    void shouldRefuseImpossibleResults(String row) {
        assertThatThrownBy(() -> PerftestResult.parse(PerftestProgram.SEND_BW, THROUGHPUT.formatted(row)))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("ib_send_bw");
    }

    @Test
    void shouldRefuseAnOutputWithoutResult() {
        assertThatThrownBy(
                        () -> PerftestResult.parse(PerftestProgram.SEND_LAT, "Couldn't connect to 10.77.0.2:18515\n"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("no result");
    }

    @Test
    void shouldKnowTheCounterpartOfEachCase() {
        assertThat(PerftestProgram.of(new Case(Pattern.UNI, Transfer.SEND, 64))).isEqualTo(PerftestProgram.SEND_BW);
        assertThat(PerftestProgram.of(new Case(Pattern.BI, Transfer.READ, 64))).isEqualTo(PerftestProgram.READ_BW);
        assertThat(PerftestProgram.of(new Case(Pattern.PING_PONG, Transfer.WRITE, 64)))
                .isEqualTo(PerftestProgram.WRITE_LAT);
        assertThat(PerftestProgram.of(new Case(Pattern.LATENCY, Transfer.READ, 64)))
                .isEqualTo(PerftestProgram.READ_LAT);
        assertThat(PerftestProgram.of(new Case(Pattern.LATENCY, Transfer.SEND, 64)))
                .isNull();
        assertThat(PerftestProgram.of(new Case(Pattern.UNI, Transfer.TCP, 64))).isNull();
    }

    @Test
    void shouldAskForBothDirectionsAndSleep() {
        Case point = new Case(Pattern.BI, Transfer.SEND, 4096);
        assertThat(PerftestProgram.SEND_BW.arguments(point, 20_001, 50, true))
                .containsExactly("ib_send_bw", "-F", "-p", "20001", "-s", "4096", "-n", "50", "-b", "-e");
    }

    @Test
    void shouldFindAListeningSocket() {
        List<String> table = List.of(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                "   0: 00000000:4E21 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21 1",
                "   1: 0100007F:4E22 0100007F:4E21 01 00000000:00000000 00:00000000 00000000     0        0 22 1");
        assertThat(PerftestProcess.hasListener(table, 0x4E21)).isTrue();
        assertThat(PerftestProcess.hasListener(table, 0x4E22)).isFalse();
        assertThat(PerftestProcess.hasListener(table, 0x4E23)).isFalse();
    }
}
