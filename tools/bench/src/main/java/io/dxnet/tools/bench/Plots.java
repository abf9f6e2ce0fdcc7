package io.dxnet.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws any report as the papers' figures do (DXNet §XIII): rate and throughput with two axes, and
 * the percentiles of the round-trip times. The horizontal axis is the dimension that has several
 * numbers; the other dimensions distinguish the curves.
 */
final class Plots {
    private final Report report;
    private final Path directory;

    Plots(Report report, Path directory) {
        this.report = report;
        this.directory = directory;
    }

    /** Writes the pictures; returns their files. */
    List<Path> draw() throws IOException {
        Files.createDirectories(directory);
        String name = name(Dimension.TRANSPORT) + "-" + name(Dimension.PATTERN);
        List<Path> files = new ArrayList<>();
        for (Picture picture : pictures()) {
            List<String> footer = new ArrayList<>();
            footer.add(Table.same(report));
            footer.add(report.commandLine());
            footer.addAll(report.origin());
            String title = "DXNet: " + name.replace('-', ' ') + ", " + picture.suffix();
            files.addAll(picture.draw(report, title, footer).save(directory, name + "-" + picture.suffix()));
        }
        return files;
    }

    private String name(Dimension dimension) {
        return labels(dimension).collect(Collectors.joining("-"));
    }

    private Stream<String> labels(Dimension dimension) {
        return report.results().stream().map(r -> dimension.label(r.point())).distinct();
    }

    private List<Picture> pictures() {
        List<Dimension> several = Dimension.varying(report.results());
        Dimension x = several.stream().filter(Dimension::hasNumbers).findFirst().orElse(Dimension.SIZE);
        List<Picture> pictures = new ArrayList<>();
        // With one size, rate and throughput have the same curve.
        List<Metric> right = labels(Dimension.SIZE).count() > 1 ? List.of(Metric.THROUGHPUT) : List.of();
        pictures.add(new PointsPicture("throughput", x, List.of(), List.of(Metric.RATE), right, false));
        if (report.roundTrips()) {
            List<Metric> times = List.of(Metric.RTT_AVERAGE, Metric.RTT_MEDIAN, Metric.RTT_99, Metric.RTT_999);
            pictures.add(new PointsPicture("rtt", x, List.of(), times, List.of(), true));
        }
        if (report.sweep().patterns().equals(List.of(Pattern.SWITCH))) {
            pictures.add(new CoursePicture("course"));
        }
        return pictures;
    }
}
