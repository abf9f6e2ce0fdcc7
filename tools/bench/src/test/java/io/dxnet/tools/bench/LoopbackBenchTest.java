package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole benchmark on the loopback transport, in this process. */
@Timeout(240)
class LoopbackBenchTest {
    @TempDir
    Path directory;

    private List<Map<String, Object>> bench(String options) throws IOException {
        Path json = directory.resolve("result.json");
        List<String> arguments = new ArrayList<>(List.of("bench", "--transport", "loopback", "--runs", "2"));
        arguments.addAll(List.of("--warmup", "0.05", "--json", json.toString()));
        arguments.addAll(List.of(options.split(" ")));
        assertThat(Main.run(arguments.toArray(new String[0]))).isZero();
        return objects(json);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Path json) throws IOException {
        return (List<Map<String, Object>>) JsonParser.parse(Files.readString(json));
    }

    @ParameterizedTest
    @CsvSource({
        "uni, 2, 1, 1000",
        "bi, 2, 3, 2000",
        "all-to-all, 3, 2, 3000",
        "ring, 3, 1, 3000",
        "rtt, 2, 2, 1000",
        "rtt, 3, 2, 1000",
        "rtt-all-to-all, 3, 2, 3000",
        "switch, 4, 2, 4000"
    })
    void shouldReceiveEachVerifiedMessageOnce(String pattern, int nodes, int threads, double messages)
            throws IOException {
        String options = "--verify --messages 1000 --size 1,8,15,64,20000 --pattern " + pattern;
        for (Map<String, Object> object : bench(options + " --nodes " + nodes + " --threads " + threads)) {
            assertThat(object)
                    .containsEntry("messages", 2 * messages)
                    .containsEntry("lost", 0.0)
                    .containsEntry("duplicated", 0.0)
                    .containsEntry("reordered", 0.0)
                    .containsEntry("corrupted", 0.0);
            assertThat((double) object.get("messagesPerSecond")).isPositive();
            assertThat(object.get("rttMicros") == null).isEqualTo(!pattern.startsWith("rtt"));
        }
    }

    @Test
    void shouldSendWithAThousandThreads() {
        String options = "bench --transport loopback --threads 1000 --messages 20000 --runs 1 --warmup 0 --size 64";
        assertThat(Main.run(options.split(" "))).isZero();
    }

    @Test
    void shouldMeasureWithoutVerification() throws IOException {
        for (String options : List.of(
                "--seconds 0.1 --size 64,1M",
                "--messages 500 --api reusable,records,messages --size 64",
                "--pattern rtt --messages 500 --api records")) {
            for (Map<String, Object> object : bench(options)) {
                assertThat((double) object.get("messages")).isPositive();
                assertThat(object).containsEntry("lost", 0.0).containsEntry("reordered", null);
            }
        }
    }

    @Test
    void shouldPauseBeforeEachRequest() throws IOException {
        for (Map<String, Object> object : bench("--pattern rtt --messages 50 --pause 2000 --size 64")) {
            assertThat(object).containsEntry("pauseMicros", 2000.0).containsEntry("lost", 0.0);
            assertThat((double) object.get("seconds")).isGreaterThanOrEqualTo(0.1); // 50 pauses
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldMeasureEachPointOfASweep() throws IOException {
        String options = "--messages 500 --pattern uni,rtt --threads 1..4 --handlers 1,2 --parking always,adaptive"
                + " --size 64 --plot " + directory.resolve("plots");
        List<Map<String, Object>> objects = bench(options);
        assertThat(objects).hasSize(2 * 3 * 2 * 2);
        for (Map<String, Object> object : objects) {
            assertThat(object).containsEntry("messages", 1000.0).containsEntry("lost", 0.0);
            double handlers = (double) object.get("handlers");
            assertThat(((Map<String, Object>) object.get("nodeInfos")).get("0").toString())
                    .contains((int) handlers + " handler");
        }
        assertThat(directory.resolve("plots")).isDirectoryContaining("glob:**.svg");
    }

    @Test
    void shouldGoOnWhileThePatternSwitches() throws IOException {
        Map<String, Object> object = bench("--verify --pattern switch --nodes 3 --seconds 0.5 --size 64")
                .getFirst();
        assertThat(object)
                .containsEntry("lost", 0.0)
                .containsEntry("duplicated", 0.0)
                .containsEntry("reordered", 0.0)
                .containsEntry("corrupted", 0.0);
        assertThat((double) object.get("allToAllMessagesPerSecond")).isPositive();
        assertThat((double) object.get("ringMessagesPerSecond")).isPositive();
    }

    @Test
    void shouldVerifyMessagesLargerThanTheRing() throws IOException {
        Map<String, Object> object =
                bench("--verify --messages 4 --size 8M -D ringBytes=1M").getFirst();
        assertThat(object).containsEntry("messages", 8.0).containsEntry("corrupted", 0.0);
    }

    @Test
    void shouldMeasureTheFloorBeside() throws IOException {
        Map<String, Object> object = bench("--messages 1000 --floor").getFirst();
        assertThat(object.get("floor")).isInstanceOf(Map.class);
        @SuppressWarnings("unchecked")
        Map<String, Object> floor = (Map<String, Object>) object.get("floor");
        assertThat((double) floor.get("messagesPerSecond")).isPositive();
        assertThat((double) floor.get("ratio")).isPositive();
    }
}
