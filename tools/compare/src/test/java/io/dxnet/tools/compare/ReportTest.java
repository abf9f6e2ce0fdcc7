package io.dxnet.tools.compare;

import static io.dxnet.tools.compare.Measured.peer;
import static io.dxnet.tools.compare.Measured.rate;
import static io.dxnet.tools.compare.Measured.result;
import static io.dxnet.tools.compare.Measured.trips;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dxnet.tools.compare.harness.CpuUse;
import io.dxnet.tools.compare.harness.Faults;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo.Role;
import io.dxnet.tools.compare.harness.PeerRun;
import io.dxnet.tools.report.Csv;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private final Peer floor = peer("floor", Role.FLOOR);
    private final Peer dxnet = peer("dxnet", Role.DXNET);
    private final Peer slow = peer("slow", Role.PEER);
    private final Peer quick = peer("quick", Role.PEER);
    private final Peer absent = peer("absent", Role.PEER);
    private final Plan plan = Measured.plan(floor, dxnet, slow, quick, absent);
    private final PeerResult slowResult = result(slow, plan, rate(2e6), trips(40));
    private final PeerResult quickResult = result(quick, plan, rate(14e6, 16e6), trips(10));
    private final PeerResult absentResult = new PeerResult(absent.info());
    private final Report report = new Report(
            plan,
            List.of(
                    result(floor, plan, rate(50e6), trips(5)),
                    result(dxnet, plan, rate(9e6, 11e6), trips(20)),
                    slowResult,
                    quickResult,
                    absentResult),
            "./dxnet compare");

    ReportTest() {
        absentResult.skip("its library is not here");
    }

    @Test
    void shouldDivideRatesByDxnetsAndDxnetsRoundTripByTheirs() {
        assertThat(report.rateAgainst(slowResult, 64, 1).getAsDouble()).isCloseTo(0.2, within(1e-9));
        assertThat(report.rateAgainst(quickResult, 1024, 4).getAsDouble()).isCloseTo(1.5, within(1e-9));
        assertThat(report.rttAgainst(slowResult, 64).getAsDouble()).isCloseTo(0.5, within(0.01));
        assertThat(report.rttAgainst(quickResult, 64).getAsDouble()).isCloseTo(2, within(0.01));
        assertThat(report.rateAgainst(absentResult, 64, 1)).isEmpty();
    }

    @Test
    void shouldListEachCaseInWhichAPeerWinsAndNotTheFloor() {
        assertThat(report.losses()).hasSize(6).allMatch(loss -> loss.winner().equals(quick.info()));
        assertThat(Text.lines(report))
                .contains(
                        "Peer quick (TCP) wins, 1 thread: 64 B 1.50x, 1K B 1.50x",
                        "Peer quick (TCP) wins, 4 threads: 64 B 1.50x, 1K B 1.50x")
                .anyMatch(line -> line.startsWith("Peer quick (TCP) wins, round trips: 64 B 2.0"))
                .contains("SKIPPED Peer absent: its library is not here")
                .noneMatch(line -> line.contains("FAULTS") || line.contains("FAILED"));
    }

    /** Where each mode of security is measured; the modes of DXNet itself against the first. */
    @Test
    void shouldDivideAPeerWithTlsByDxnetWithTls() {
        Peer dxnetTls = peer("dxnet tls", Role.DXNET, "TLS");
        Peer quickTls = peer("quick tls", Role.PEER, "TLS");
        List<Peer> peers = List.of(dxnet, dxnetTls, slow, quickTls);
        for (boolean security : new boolean[] {true, false}) {
            Plan all = new Plan(
                    peers, List.of(64), List.of(1), 1, false, security ? Plan.Subject.SECURITY : Plan.Subject.MESSAGES);
            PeerResult dxnetTlsResult = result(dxnetTls, all, rate(5e6), trips(40));
            PeerResult quickTlsResult = result(quickTls, all, rate(4e6), trips(20));
            Report of = new Report(
                    all,
                    List.of(result(dxnet, all, rate(10e6), trips(20)), dxnetTlsResult, slowResult, quickTlsResult),
                    "./dxnet compare");
            assertThat(of.rateAgainst(quickTlsResult, 64, 1).getAsDouble())
                    .isCloseTo(security ? 0.8 : 0.4, within(1e-9));
            assertThat(of.rttAgainst(quickTlsResult, 64).getAsDouble()).isCloseTo(security ? 2 : 1, within(0.01));
            assertThat(of.rateAgainst(dxnetTlsResult, 64, 1).getAsDouble()).isCloseTo(0.5, within(1e-9));
            assertThat(of.rateAgainst(slowResult, 64, 1).getAsDouble()).isCloseTo(0.2, within(1e-9));
        }
    }

    @Test
    void shouldDivideAWriteByAWrite() {
        Peer write = peer("dxnet write", Role.DXNET, "TCP, write");
        Peer put = peer("quick write", Role.PEER, "TCP, write");
        Plan memory = new Plan(List.of(dxnet, write, put), List.of(64), List.of(), 1, false, Plan.Subject.MEMORY);
        PeerResult putResult = result(put, memory, rate(1), trips(10));
        Report of = new Report(
                memory,
                List.of(
                        result(dxnet, memory, rate(1), trips(20)),
                        result(write, memory, rate(1), trips(40)),
                        putResult),
                "./dxnet compare");
        assertThat(of.rttAgainst(putResult, 64).getAsDouble()).isCloseTo(4, within(0.01));
        assertThat(Text.lines(of)).anyMatch(line -> line.startsWith("Peer quick write (TCP, write) wins, round trips"));
    }

    @Test
    void shouldSayWhenNobodyWins() {
        Report without = new Report(plan, report.results().subList(0, 3), "./dxnet compare");
        assertThat(Text.lines(without))
                .contains(
                        "No peer is faster than DXNet in any of the 6 rates and median round trips that were compared.");
    }

    @Test
    void shouldStateThatNothingWasCompared() {
        for (Report each : List.of(
                new Report(plan, report.results().subList(0, 2), "./dxnet compare"),
                new Report(plan, List.of(slowResult), "./dxnet compare"))) {
            assertThat(Text.lines(each)).contains("No peer was compared with DXNet.");
        }
    }

    @Test
    void shouldStateWhereNothingCame() {
        slowResult.add(new Plan.Step(64, 1), rate(0, 0));
        assertThat(Text.lines(report))
                .contains("NOTHING CAME of Peer slow: 1 thread, 64 B")
                .noneMatch(line -> line.startsWith("No message"));
    }

    /** A write is no read. */
    @Test
    void shouldNotCompareOperationsOfDxnetOnRemoteMemory() {
        Peer write = peer("dxnet write", Role.DXNET, "TCP, write");
        Plan memory = new Plan(List.of(dxnet, write), List.of(64), List.of(), 1, false, Plan.Subject.MEMORY);
        PeerResult ours = result(write, memory, rate(1), trips(40));
        Report of = new Report(memory, List.of(result(dxnet, memory, rate(1), trips(20)), ours), "./dxnet compare");
        assertThat(of.rttAgainst(ours, 64)).isEmpty();
    }

    @Test
    void shouldTellFaultsAndFailures() {
        slowResult.add(new Plan.Step(64, 1), new PeerRun.OneWay(List.of(2e6), CpuUse.NONE, new Faults(3, 0, 0, 0)));
        slowResult.fail("its server ended");
        assertThat(Text.lines(report))
                .contains(
                        "FAULTS of Peer slow: 3 lost, 0 duplicated, 0 reordered, 0 corrupted",
                        "FAILED Peer slow: its server ended")
                .noneMatch(line -> line.startsWith("No message"));
    }

    @Test
    void shouldHaveOneRowForEachSystemAndSize() {
        List<List<String>> cells = Cells.of(report);
        assertThat(cells)
                .hasSize(1 + 2 * 4)
                .allMatch(row -> row.size() == cells.getFirst().size());
        assertThat(cells.get(2))
                .startsWith("64", "Peer dxnet", "TCP", "10.0", "9.00..11.0", "1.00x")
                .endsWith("1.00x");
        assertThat(cells.get(4)).startsWith("64", "Peer quick", "TCP", "15.0", "14.0..16.0", "1.50x");
    }

    /** A system that is measured twice counts once, with all its messages and all its time. */
    @Test
    void shouldDivideTheMessagesOfAllTurnsByTheirProcessorTime() {
        Plan one = Measured.plan(dxnet, slow);
        PeerResult twice = result(dxnet, one, rate(new CpuUse(6_000_000, 1.5), 6e6), trips(20));
        one.steps().stream()
                .filter(step -> !step.roundTrips())
                .forEach(step -> twice.add(step, rate(new CpuUse(4_000_000, 0.5), 4e6)));
        Report both = new Report(one, List.of(twice, result(slow, one, rate(1e6), trips(20))), "./dxnet compare");
        assertThat(Cells.of(both).get(0)).startsWith("size", "system", "over", "M msg/s, 1 thread", "min..max");
        assertThat(Cells.of(both).get(0).get(6)).isEqualTo("M msg/CPU-s");
        assertThat(Cells.of(both).get(1).get(6)).isEqualTo("5.00");
        assertThat(Cells.of(both).get(2).get(6)).isEqualTo("-"); // not known
        @SuppressWarnings("unchecked")
        Map<String, Object> threads =
                (Map<String, Object>) both.objects().getFirst().get("threads1");
        assertThat(threads).containsEntry("messagesPerCpuSecond", 5e6);
    }

    @Test
    void shouldShowADashWhereNothingCame() {
        Plan one = Measured.plan(dxnet, slow);
        Report stopped = new Report(
                one,
                List.of(result(dxnet, one, rate(1e6), trips(20)), result(slow, one, rate(0, 0), trips(20))),
                "./dxnet compare");
        assertThat(Cells.of(stopped).get(2)).startsWith("64", "Peer slow", "TCP", "-", "-", "-");
    }

    @Test
    void shouldWriteEveryNumberToJsonAndCsv() {
        List<Map<String, Object>> objects = report.objects();
        assertThat(objects).hasSize(2 * 5);
        Map<String, Object> quick64 = objects.get(3);
        assertThat(quick64)
                .containsEntry("name", "quick")
                .containsEntry("sizeBytes", 64)
                .containsEntry("lost", 0L)
                .containsEntry("corrupted", null); // not verified
        @SuppressWarnings("unchecked")
        Map<String, Object> one = (Map<String, Object>) quick64.get("threads1");
        assertThat(one).containsEntry("messagesPerSecond", 15e6).containsEntry("againstDxnet", 1.5);
        assertThat(objects.get(4))
                .containsEntry("skipped", "its library is not here")
                .containsEntry("rttMicros", null);
        assertThat(Csv.lines(objects).getFirst())
                .contains("threads1.messagesPerSecond,", "threads4.againstDxnet", "rttMicros.p90", "rttAgainstDxnet");
        assertThat(Csv.lines(objects)).hasSize(1 + 10);
    }

    @Test
    void shouldWriteAPageAndAPicture(@TempDir Path directory) throws Exception {
        List<Path> files = ReportFiles.write(report, directory);
        assertThat(files).hasSize(5).allSatisfy(file -> assertThat(file).isNotEmptyFile());
        assertThat(directory.resolve("comparison.md"))
                .content()
                .contains("| 64 | Peer quick | TCP | 15.0 |", "comparison.svg", "its manual", "**Peer absent**");
        assertThat(directory.resolve("comparison.svg"))
                .content()
                .startsWith("<?xml")
                .contains("</svg>");
    }
}
