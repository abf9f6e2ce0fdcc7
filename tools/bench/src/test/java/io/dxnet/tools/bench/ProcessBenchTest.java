package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark over TCP, its other nodes in processes of their own. */
@Timeout(240)
class ProcessBenchTest {
    @TempDir
    Path directory;

    @Test
    void shouldVerifyMessagesBetweenProcesses() throws IOException {
        Path json = directory.resolve("result.json");
        String options = "bench --transport nio --nodes 3 --pattern all-to-all --verify --messages 500 --size 1,100,2M"
                + " --bytes-max 40M --runs 1 --warmup 0.05 --threads 2 --json " + json;
        assertThat(Main.run(options.split(" "))).isZero();
        List<?> objects = (List<?>) JsonParser.parse(Files.readString(json));
        assertThat(objects).hasSize(3);
        for (Object object : objects) {
            double large = ((Map<?, ?>) object).get("sizeBytes").equals(2.0 * (1 << 20)) ? 20 : 500;
            assertThat(((Map<?, ?>) object).get("messages")).isEqualTo(3 * large);
            assertThat(((Map<?, ?>) object).get("corrupted")).isEqualTo(0.0);
        }
    }

    /** A node that dies in the middle of a run ends the run with its name, exit code and output. */
    @Test
    void shouldReportAProcessThatDied() {
        BenchOptions options = new BenchOptions();
        options.wait = 120;
        Setup setup = new Setup("nio", 2, 0, null);
        DXNetConfig config =
                DXNetConfig.builder().transport("nio").clusterName("dying").build();
        Plan plan = new Plan(0, 60, 0, 0, 1, false, 1, 1, 0, 15);
        CountDownLatch running = new CountDownLatch(1);
        try (Cluster cluster = Cluster.onThisMachine(
                config, 2, List.of("127.0.0.1"), id -> options.childArguments(id, setup, "dying"))) {
            cluster.coordinator().join(Duration.ofMinutes(2));
            Thread.ofPlatform().start(() -> {
                try {
                    running.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
            });
            Point point = new Point(setup, Pattern.UNI, 1, 64);
            RoundSpec spec = plan.measured(1, point, cluster.coordinator().ids());
            assertThatThrownBy(() -> cluster.coordinator().run(spec, fraction -> running.countDown()))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("node 1")
                    .hasMessageContaining("exit code 137");
        }
    }
}
