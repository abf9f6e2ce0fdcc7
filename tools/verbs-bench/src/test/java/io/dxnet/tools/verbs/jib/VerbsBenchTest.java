package io.dxnet.tools.verbs.jib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.softhca.SoftFaults;
import io.dxnet.softhca.SoftHca;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Main;
import io.dxnet.tools.verbs.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Short verified runs on the software device, both ends in this process. */
@Timeout(120)
class VerbsBenchTest {
    private static final EndOptions CLIENT = new EndOptions(new Port("soft0", 1, -1), 2);
    private static final EndOptions SERVER = new EndOptions(new Port("soft1", 1, -1), 2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeEach
    void nothingIsLeft() {
        SoftFaults.of("soft0").clear();
    }

    @AfterEach
    void everythingIsClosed() {
        SoftFaults.of("soft0").clear();
        assertThat(SoftHca.census().contexts()).isZero();
        assertThat(SoftHca.census().registeredBytes()).isZero();
    }

    private static List<Arguments> allCases() {
        List<Arguments> cases = new ArrayList<>();
        for (Pattern pattern : Pattern.values()) {
            for (Transfer transfer : Transfer.values()) {
                if (transfer.whyNot(pattern) == null) {
                    cases.add(Arguments.of(pattern, transfer));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("allCases")
    void shouldMoveEveryByteOfEveryPatternAndTransfer(Pattern pattern, Transfer transfer) {
        // 16 receives: the sender depends on credits. 333 messages: no multiple of anything.
        LinkOptions options = new LinkOptions(32, 16, 8, 8, 236, 1 << 20, 30, 60);
        for (int size : new int[] {1, 64, 300, 5000, 1 << 20}) {
            long messages = size > 100_000 ? 21 : 333;
            CaseResult result = measure(options, new Case(pattern, transfer, size), messages);
            assertThat(result.corrupt()).as("%d bytes", size).isZero();
            assertThat(result.checked()).as("%d bytes", size).isPositive();
            assertThat(result.messagesPerSecond().min()).isPositive();
            if (pattern.isLatency()) {
                assertThat(result.times().p50())
                        .isPositive()
                        .isLessThanOrEqualTo(result.times().max());
            }
        }
    }

    private static CaseResult measure(LinkOptions options, Case point, long messages) {
        try (LocalServer server = LocalServer.inThisProcess(SERVER, PATIENCE, PATIENCE);
                Control control = Control.connect(server.address(), PATIENCE, PATIENCE);
                Session session = Session.client(control, CLIENT, options)) {
            CaseResult result =
                    new Suite(control, session, CLIENT, new Suite.Plan(1, 1, messages, true)).measure(point);
            control.send(Control.Command.CLOSE);
            control.flush();
            return result;
        }
    }

    @Test
    void shouldFailInBoundedTimeWhenTheLinkIsCut() {
        LinkOptions options = new LinkOptions(32, 16, 8, 8, 0, 4096, 5, 30);
        SoftFaults.of("soft0").cutLink(true);
        assertThatThrownBy(() -> measure(options, new Case(Pattern.UNI, Transfer.WRITE, 64), 100))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("RETRY_EXC_ERR");
    }

    @Test
    void shouldRunAsACommandAndWriteAllFiles(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("r.json");
        Path csv = folder.resolve("r.csv");
        Path plots = folder.resolve("plots");
        int exit = Main.run(
                "verbs-bench",
                "--quick",
                "--verify",
                "--size",
                "1,64",
                "--total",
                "1",
                "--json",
                json.toString(),
                "--csv",
                csv.toString(),
                "--plot",
                plots.toString());
        assertThat(exit).isZero();
        assertThat(Files.readString(json))
                .contains(
                        "\"pattern\": \"pingpong\"",
                        "\"commandLine\": \"./dxnet verbs-bench --quick",
                        "no port counters");
        assertThat(Files.readAllLines(csv)).hasSize(1 + 15 * 2);
        assertThat(plots.resolve("verbs-uni-throughput.png")).isNotEmptyFile();
        assertThat(plots.resolve("verbs-pingpong-p999.svg")).isNotEmptyFile();
    }

    @Test
    void shouldSayWhatIsWrongWithTheOptions() {
        assertThat(Main.run("verbs-bench", "--seconds", "0")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--seconds", "1e99")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--json", "/nonsense/x.json")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--plot", "/dev/null")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--nonsense")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--pattern", "sideways")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--transfer", "read", "--pattern", "pingpong"))
                .isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--processes", "2")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--size", "0")).isEqualTo(2);
        assertThat(Main.run("verbs-bench", "--connect", "localhost")).isEqualTo(2);
    }

    @Test
    void shouldNameTheDeviceThatTheServerDoesNotHave() {
        assertThat(Main.run("verbs-bench", "--quick", "--peer", "nosuch0")).isEqualTo(1);
    }
}
