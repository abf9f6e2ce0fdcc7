package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.Json;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path directory;

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Report report) {
        return (List<Map<String, Object>>) JsonParser.parse(Json.write(JsonWriter.toList(report)));
    }

    @Test
    void shouldWriteOneObjectForEachPoint() {
        List<Map<String, Object>> objects = objects(Reports.throughput(true, Faults.NONE));
        assertThat(objects).hasSize(21);
        assertThat(objects.get(6))
                .containsEntry("transport", "nio")
                .containsEntry("pattern", "uni")
                .containsEntry("nodes", 2.0)
                .containsEntry("threads", 4.0)
                .containsEntry("handlers", 0.0)
                .containsEntry("sizeBytes", 64.0)
                .containsEntry("seconds", 3.0)
                .containsEntry("lost", 0.0)
                .containsEntry("duplicated", 0.0)
                .containsEntry("reordered", 0.0)
                .containsEntry("corrupted", 0.0)
                .containsEntry("allocatedBytesPerMessage", 24.0)
                .containsEntry("cpuNanosPerMessage", 700.0)
                .containsEntry("rttMicros", null)
                .containsEntry("commandLine", "./dxnet bench \"--x\"")
                .containsKeys("messages", "payloadBytesPerSecond", "machine", "java", "version", "nodeInfos");
        double min = (double) objects.get(6).get("messagesPerSecondMin");
        double avg = (double) objects.get(6).get("messagesPerSecond");
        double max = (double) objects.get(6).get("messagesPerSecondMax");
        assertThat(min).isLessThan(avg);
        assertThat(avg).isLessThan(max);
    }

    @Test
    void shouldTellTheHandlersThatWereChosen() {
        Sweep sweep = Reports.sweep(Pattern.UNI, List.of(64), false);
        Setup setup = sweep.setups().getFirst();
        Report report = new Report(sweep, "");
        report.setNodeInfos(setup, Map.of(0, "fused layout, 3 handlers, 2 threads"));
        assertThat(report.handlers(setup)).isEqualTo(3);
    }

    @Test
    void shouldCountFaultsOfTheWarmUp() {
        RunResult run = new RunResult(1, 1, new Faults(1, 0, 0, 0), 0, 0, 0, Access.NONE, null, null);
        Point point = new Point(new Setup("nio", 2, 0, null), Pattern.UNI, 1, 64);
        PointResult result = new PointResult(point, new Faults(0, 2, 0, 0), List.of(run));
        assertThat(result.faults()).isEqualTo(new Faults(1, 2, 0, 0));
    }

    @Test
    void shouldSayNullForWhatWasNotChecked() {
        assertThat(objects(Reports.throughput(false, Faults.NONE)).getFirst())
                .containsEntry("reordered", null)
                .containsEntry("corrupted", null)
                .containsEntry("lost", 0.0);
    }

    @Test
    void shouldSayHowMemoryIsAccessedAndWhatIsNotCounted() {
        Report report = Reports.of(Reports.sweep(Pattern.READ, List.of(64), true), Faults.NONE);
        assertThat(objects(report).getFirst())
                .containsEntry("batch", 1.0)
                .containsEntry("oneSided", true)
                .containsEntry("lost", null)
                .containsEntry("reordered", null)
                .containsEntry("corrupted", 0.0);
        assertThat(String.join("\n", Table.lines(report))).contains("access").contains("one-sided");
        assertThat(objects(Reports.roundTrips()).getFirst()).containsEntry("oneSided", null);
        Report unchecked = Reports.of(Reports.sweep(Pattern.READ, List.of(64), false), Faults.NONE);
        assertThat(Table.lines(unchecked).getLast()).startsWith("No operation failed");
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldWriteRoundTripsInMicroseconds() {
        Map<String, Object> object = objects(Reports.roundTrips()).getFirst();
        Map<String, Object> rtt = (Map<String, Object>) object.get("rttMicros");
        assertThat(rtt).containsOnlyKeys("avg", "p50", "p90", "p95", "p99", "p999", "max");
        assertThat((double) rtt.get("p50")).isBetween(10.0, 13.0);
        assertThat((double) rtt.get("max")).isBetween(100.0, 115.0);
        Map<String, Object> min = (Map<String, Object>) object.get("rttMicrosMin");
        Map<String, Object> max = (Map<String, Object>) object.get("rttMicrosMax");
        assertThat((double) min.get("p50")).isLessThan((double) max.get("p50"));
    }

    @Test
    void shouldWriteAsManyCellsInEachLineOfTheCsv() {
        List<String> lines = Csv.lines(JsonWriter.toList(Reports.roundTrips()));
        assertThat(lines).hasSize(9);
        long columns = lines.getFirst().chars().filter(c -> c == ',').count();
        assertThat(lines.getFirst()).contains("rttMicros.p999");
        for (String line : lines) {
            String unquoted = line.replaceAll("\"([^\"]|\"\")*\"", "");
            assertThat(unquoted.chars().filter(c -> c == ',').count()).isEqualTo(columns);
        }
    }

    @Test
    void shouldPrintAlignedColumnsAndAVerdict() {
        List<String> lines = Table.lines(Reports.throughput(true, Faults.NONE));
        int head = lines.indexOf("");
        assertThat(lines.subList(head + 1, head + 23))
                .allMatch(line -> line.length() == lines.get(head + 1).length());
        assertThat(lines.getLast()).startsWith("No message was lost");
        List<String> bad = Table.lines(Reports.throughput(true, new Faults(1, 2, 3, 4)));
        assertThat(bad.getLast()).isEqualTo("FAULTS: 63 lost, 126 duplicated, 189 reordered, 252 corrupted");
    }

    @Test
    void shouldDrawPicturesThatCanBeRead() throws IOException {
        List<Path> files =
                new java.util.ArrayList<>(new Plots(Reports.throughput(false, Faults.NONE), directory).draw());
        files.addAll(new Plots(Reports.roundTrips(), directory).draw());
        assertThat(files).hasSize(6);
        for (Path file : files) {
            if (file.toString().endsWith(".png")) {
                BufferedImage image = ImageIO.read(file.toFile());
                assertThat(image.getWidth()).isEqualTo(900);
            } else {
                assertThat(Files.readString(file)).contains("<svg");
            }
        }
    }

    @Test
    void shouldEscapeWhatJsonCannotHold() {
        String nasty = "a\"b\\c\n\t\u0001é\uD83D\uDE00";
        assertThat(JsonParser.parse(Json.write(nasty))).isEqualTo(nasty);
        assertThat(JsonParser.parse(Json.write(List.of(Map.of(), List.of())))).isEqualTo(List.of(Map.of(), List.of()));
        assertThat(Json.write(Double.NaN)).isEqualTo("null\n");
        assertThat(Json.write(0.5)).isEqualTo("0.5\n");
        assertThat(Json.write(1e12)).isEqualTo("1000000000000\n");
    }
}
