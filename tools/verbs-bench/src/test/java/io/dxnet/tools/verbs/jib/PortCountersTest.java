package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.tools.verbs.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortCountersTest {
    private static PortCounters counters(Object... namesAndValues) {
        Map<String, Long> values = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            values.put((String) namesAndValues[i], ((Number) namesAndValues[i + 1]).longValue());
        }
        return new PortCounters(values);
    }

    @Test
    void shouldReadNumbersAndLeaveOutTheRest(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("port_xmit_data"), "1234\n");
        Files.writeString(folder.resolve("link_downed"), "N/A (no PMA)\n");
        Map<String, Long> values = new TreeMap<>();
        PortCounters.readFolder(folder, "counters/", values);
        PortCounters.readFolder(folder.resolve("missing"), "hw_counters/", values);
        assertThat(values).containsExactly(Map.entry("counters/port_xmit_data", 1234L));
    }

    @Test
    void shouldCountWordsOfFourBytesOfAPort() {
        PortCounters before =
                counters("counters/port_xmit_data", 100, "counters/port_rcv_data", 10, "netdev/tx_bytes", 7);
        PortCounters after =
                counters("counters/port_xmit_data", 125, "counters/port_rcv_data", 10, "netdev/tx_bytes", 999);
        PortCounters since = after.since(before);
        assertThat(since.values()).containsOnlyKeys("counters/port_xmit_data", "netdev/tx_bytes");
        assertThat(since.wireBytes()).isEqualTo(100);
    }

    @Test
    void shouldFallBackToTheNetworkInterface() {
        PortCounters since = counters("hw_counters/sent_pkts", 5, "netdev/tx_bytes", 300, "netdev/rx_bytes", 200);
        assertThat(since.wireBytes()).isEqualTo(500);
    }

    @Test
    void shouldSayThatNothingCounts() {
        assertThat(PortCounters.read(new Port("soft0", 1, -1)).isEmpty()).isTrue();
        assertThat(counters("hw_counters/sent_pkts", 5).wireBytes()).isNull();
    }

    @Test
    void shouldGiveTheOverheadOfAMessage() {
        Case point = new Case(Pattern.PING_PONG, Transfer.SEND, 64);
        CaseResult.Run run = new CaseResult.Run(10, new Outcome(1000, 0, 0), null);
        // 20 messages of 64 bytes and 30 bytes around each.
        CaseResult result =
                new CaseResult(point, List.of(run), counters("netdev/tx_bytes", 940, "netdev/rx_bytes", 940), 20);
        assertThat(result.overheadBytes()).isEqualTo(30);
        assertThat(result.overheadPercent()).isEqualTo(100.0 * 30 / 64);
    }
}
