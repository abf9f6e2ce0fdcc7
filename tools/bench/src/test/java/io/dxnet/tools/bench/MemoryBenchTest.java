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
import org.junit.jupiter.params.provider.ValueSource;

/** The patterns of remote memory, on each transport. */
@Timeout(240)
class MemoryBenchTest {
    private static final double MESSAGES = 300;
    private static final int OWNERS = 2;

    @TempDir
    Path directory;

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> bench(String options) throws IOException {
        Path json = directory.resolve("result.json");
        List<String> arguments = new ArrayList<>(List.of("bench", "--runs", "1", "--warmup", "0.05"));
        arguments.addAll(List.of("--json", json.toString()));
        arguments.addAll(List.of(options.split(" ")));
        assertThat(Main.run(arguments.toArray(new String[0]))).isZero();
        return (List<Map<String, Object>>) JsonParser.parse(Files.readString(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loopback",
                "nio",
                "nio --one-process",
                "nio --security tls",
                "shm",
                "ib --device soft0",
                "ib --device soft"
            })
    void shouldVerifyEachOperation(String transport) throws IOException {
        List<Map<String, Object>> objects = bench("--transport " + transport + " --nodes 3 --threads 2 --verify"
                + " --pattern read,write,atomic,notify --size 1,100,20000 --batch 1,7 --messages 300");
        assertThat(objects).hasSize(3 * 3 * 2 + 2);
        for (Map<String, Object> object : objects) {
            boolean isCounted = object.get("pattern").equals("atomic")
                    || object.get("pattern").equals("notify");
            assertThat(object)
                    .containsEntry("messages", MESSAGES)
                    .containsEntry("oneSided", transport.startsWith("ib") || transport.equals("shm"))
                    .containsEntry("lost", isCounted ? 0.0 : null)
                    .containsEntry("duplicated", isCounted ? 0.0 : null)
                    .containsEntry("corrupted", 0.0);
            assertThat(object.get("rttMicros")).isNotNull();
            if (object.get("pattern").equals("atomic")) {
                assertThat(object).containsEntry("sizeBytes", 8.0);
            }
        }
    }

    @Test
    void shouldMeasureBesideRoundTrips() throws IOException {
        Path csv = directory.resolve("result.csv");
        List<Map<String, Object>> objects = bench("--transport loopback --pattern read,rtt,uni --batch 1,32 --seconds"
                + " 0.1 --floor --csv " + csv + " --plot " + directory.resolve("plots"));
        assertThat(objects).extracting(each -> each.get("pattern")).containsExactly("read", "read", "rtt", "uni");
        assertThat(objects).extracting(each -> each.get("batch")).containsExactly(1.0, 32.0, 1.0, 1.0);
        assertThat(objects)
                .allSatisfy(each ->
                        assertThat((double) each.get("messagesPerSecond")).isPositive());
        assertThat(objects.get(0).get("floor")).isNotNull();
        assertThat(objects.get(1).get("floor")).isNull();
        assertThat(csv).content().contains("oneSided");
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "ib --device soft0"})
    void shouldVerifyChainsThatAreUnderWayAtOnce(String transport) throws IOException {
        assertThat(bench("--transport " + transport + " --nodes 3 --threads 2 --verify --pattern"
                        + " read,write,atomic,notify --size 100 --batch 1,7 --chains 4 --messages 300"))
                .hasSize(4 * 2)
                .allSatisfy(each -> assertThat(each)
                        .containsEntry("messages", MESSAGES)
                        .containsEntry("chains", 4.0)
                        .containsEntry("corrupted", 0.0));
    }

    /** The longest chain, and more bytes than one message carries. */
    @Test
    void shouldCarryOutLongChainsAndLargeOperations() throws IOException {
        assertThat(bench("--transport ib --device soft0 --pattern read,write,atomic,notify --batch 1024 --verify"
                        + " --messages 3000 --size 8"))
                .hasSize(OWNERS + OWNERS);
        assertThat(bench("--transport loopback --pattern read,write --verify --messages 4 --size 64M -D"
                        + " maxMessageBytes=1M"))
                .allSatisfy(each -> assertThat(each).containsEntry("corrupted", 0.0));
    }
}
