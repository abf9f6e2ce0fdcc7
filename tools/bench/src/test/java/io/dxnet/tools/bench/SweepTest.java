package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.report.Counts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SweepTest {
    private static BenchOptions options(String line) {
        BenchOptions options = new BenchOptions();
        new CommandLine(options).parseArgs(line.split(" "));
        return options;
    }

    private static Sweep sweep(String line) {
        BenchOptions options = options(line);
        return options.sweep(List.of("loopback"), options.nodeCounts());
    }

    @Test
    void shouldReadANumberAListAndARangeThatDoubles() {
        assertThat(Counts.parse("--threads", "4", 1, 256)).containsExactly(4);
        assertThat(Counts.parse("--threads", "6,1, 2,6", 1, 256)).containsExactly(1, 2, 6);
        assertThat(Counts.parse("--threads", "1..128", 1, 256)).containsExactly(1, 2, 4, 8, 16, 32, 64, 128);
        assertThat(Counts.parse("--threads", "10..1280", 1, 2000)).containsExactly(10, 20, 40, 80, 160, 320, 640, 1280);
        assertThat(Counts.parse("--threads", "2..7,100", 1, 256)).containsExactly(2, 4, 7, 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "257", "x", "1,", "1..", "..4", "8..4", "0..8", "1.5", "-1"})
    void shouldRefuseWhatIsNoList(String text) {
        assertThatThrownBy(() -> Counts.parse("--threads", text, 0, 256)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMeasureEachValueWithEachOther() {
        Sweep sweep = sweep("--pattern uni,bi --nodes 2..8 --threads 1,16 --handlers 1,2 --parking never,adaptive "
                + "--size 1,64,4K --runs 3 --warmup 1");
        assertThat(sweep.setups()).hasSize(3 * 2 * 2).doesNotHaveDuplicates();
        assertThat(sweep.points(sweep.setups().getFirst()))
                .hasSize(2 * 2 * 3)
                .doesNotHaveDuplicates()
                .contains(new Point(new Setup("loopback", 2, 1, ParkingStrategy.NEVER), Pattern.BI, 16, 4096));
        assertThat(sweep.points()).isEqualTo(144);
        assertThat(sweep.rounds()).isEqualTo(144 * 4);
    }

    @Test
    void shouldMakeChainsOfRemoteMemoryAlone() {
        Sweep sweep = sweep("--pattern read,atomic,rtt --batch 1,32 --size 64,4K");
        assertThat(sweep.points(sweep.setups().getFirst()))
                .extracting(Point::pattern, Point::size, Point::batch)
                .containsExactly(
                        tuple(Pattern.READ, 64, 1),
                        tuple(Pattern.READ, 64, 32),
                        tuple(Pattern.READ, 4096, 1),
                        tuple(Pattern.READ, 4096, 32),
                        tuple(Pattern.ATOMIC, 8, 1),
                        tuple(Pattern.ATOMIC, 8, 32),
                        tuple(Pattern.RTT, 64, 1),
                        tuple(Pattern.RTT, 4096, 1));
        assertThat(sweep.points()).isEqualTo(8);
    }

    @Test
    void shouldMeasureOnePointByDefault() {
        Sweep sweep = sweep("--seconds 1");
        assertThat(sweep.points()).isEqualTo(1);
        assertThat(sweep.setups()).containsExactly(new Setup("loopback", 2, 0, null));
        assertThat(sweep.severalCurves()).isFalse();
    }

    @Test
    void shouldGiveTheNodesWhatTheSetupSays() {
        BenchOptions options =
                options("--handlers 3 --parking always --device soft0 --option nio.x=1 -D ringBytes=64K");
        Sweep sweep = options.sweep(List.of("nio"), options.nodeCounts());
        Setup setup = sweep.setups().getFirst();
        DXNetConfig config = options.configuration(setup, "a");
        assertThat(config.handlers()).isEqualTo(3);
        assertThat(config.parkingStrategy()).isEqualTo(ParkingStrategy.ALWAYS);
        assertThat(config.ringBytes()).isEqualTo(64 << 10);
        assertThat(config.transportOptions())
                .containsEntry("ib.device", "soft0")
                .containsEntry("nio.x", "1");
        BenchOptions child = new BenchOptions();
        List<String> arguments = options.childArguments(1, setup, "a");
        new CommandLine(child).parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
        Setup same = child.sweep(List.of(child.nodeOptions.transport()), child.nodeCounts())
                .setups()
                .getFirst();
        assertThat(child.configuration(same, null)).isEqualTo(config);
    }

    @ParameterizedTest
    @CsvSource({
        "loopback, , true",
        "ib, soft0, true",
        "ib, soft, false",
        "ib, soft@127.0.0.2, false",
        "ib, rxe0, false",
        "ib, , false",
        "nio, soft0, false"
    })
    void shouldKnowWhatConnectsOnlyTheNodesOfOneProcess(String transport, String device, boolean inOneProcess) {
        DXNetConfig.Builder builder = DXNetConfig.builder().transport(transport);
        if (device != null) {
            builder.transportOption(Transports.IB_DEVICE, device);
        }
        assertThat(Transports.inOneProcess(builder.build())).isEqualTo(inOneProcess);
    }

    @Test
    void shouldWarmUpTheFirstPointForLonger() {
        assertThat(sweep("--warmup 3").plan().firstWarmupSeconds()).isEqualTo(6);
        Plan plan = sweep("--warmup 3 --first-warmup 100").plan();
        Point point =
                sweep("--size 1").points(new Setup("loopback", 2, 1, null)).getFirst();
        int[] ids = {0, 1};
        assertThat(plan.warmup(1, point, true, ids).durationNs()).isEqualTo(100_000_000_000L);
        assertThat(plan.warmup(2, point, false, ids).durationNs()).isEqualTo(3_000_000_000L);
        assertThatThrownBy(() -> sweep("--warmup 0 --first-warmup 1")).hasMessageContaining("--first-warmup");
        assertThatThrownBy(() -> sweep("--first-warmup -1")).hasMessageContaining("--first-warmup");
    }

    @Test
    void shouldEstimateTheTime() {
        double one = Estimate.seconds(sweep("--seconds 2 --runs 3 --warmup 1"));
        assertThat(one).isBetween(7.0, 10.0);
        double sixteen = Estimate.seconds(sweep("--seconds 2 --runs 3 --warmup 1 --threads 1..128 --size 1,2"));
        assertThat(sixteen).isBetween(15 * (one - 2), 16 * one);
        assertThat(Estimate.seconds(sweep("--messages 3000000 --runs 2 --warmup 0")))
                .isBetween(6.0, 9.0);
        assertThat(Estimate.seconds(sweep("--seconds 2 --runs 3 --warmup 1 --first-warmup 61")))
                .isBetween(one + 58, one + 60);
        assertThat(Estimate.text(12.4)).isEqualTo("12 s");
        assertThat(Estimate.text(150)).isEqualTo("3 min");
        assertThat(Estimate.text(3900)).isEqualTo("1 h 5 min");
    }

    /** Else two rows of one program have different names. */
    @Test
    void shouldNameTheApiThatIsUsed() {
        Sweep sweep = sweep("--pattern uni,rtt --api reusable,messages,records --size 64");
        List<Point> points = sweep.points(sweep.setups().getFirst());
        assertThat(points)
                .extracting(Point::pattern, Point::api)
                .containsExactly(
                        tuple(Pattern.UNI, Api.REUSABLE),
                        tuple(Pattern.UNI, Api.MESSAGES),
                        tuple(Pattern.UNI, Api.RECORDS),
                        tuple(Pattern.RTT, Api.MESSAGES),
                        tuple(Pattern.RTT, Api.RECORDS));
        assertThatThrownBy(() -> sweep("--api reusable --verify")).hasMessageContaining("--verify");
    }
}
