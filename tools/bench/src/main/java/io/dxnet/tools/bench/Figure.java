package io.dxnet.tools.bench;

import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.FigureChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A figure of a paper, measured again.
 *
 * @param name as typed
 * @param source the paper and its figure
 * @param description in one line
 * @param options of {@code ./dxnet bench} that measure it
 * @param quick options that replace some of them for a short version
 * @param pictures what is drawn
 */
record Figure(String name, String source, String description, String options, String quick, List<Picture> pictures) {

    /** The options that measure it, for {@link BenchOptions}; what stands later wins. */
    List<String> arguments(boolean isQuick, List<String> typed) {
        List<String> arguments = new ArrayList<>(Arrays.asList(options.split(" ")));
        if (isQuick) {
            arguments.addAll(Arrays.asList(quick.split(" ")));
        }
        arguments.addAll(typed);
        return arguments;
    }

    /**
     * Draws the pictures and writes their numbers beside them.
     *
     * @param report what was measured; with no point there is nothing to draw
     * @param directory exists
     * @param measured the command line that measures the same
     * @return the files
     */
    List<Path> write(Report report, Path directory, String measured) throws IOException {
        List<Path> files = new ArrayList<>();
        if (report.results().isEmpty()) {
            return files;
        }
        String base = name + transport(report);
        for (Picture picture : pictures) {
            String file = base + (picture.suffix().isEmpty() ? "" : "-" + picture.suffix());
            FigureChart chart = picture.draw(report, description, footer(report));
            files.addAll(chart.save(directory, file));
        }
        Path points = directory.resolve(base + ".csv");
        Csv.write(JsonWriter.toList(report), points);
        files.add(points);
        if (report.sweep().patterns().contains(Pattern.SWITCH)) {
            Path course = directory.resolve(base + "-course.csv");
            Csv.write(CoursePicture.data(report), course);
            files.add(course);
        }
        Path text = directory.resolve(base + ".txt");
        List<String> lines = new ArrayList<>(List.of(name + ": " + description, "re-creates " + source, measured, ""));
        lines.addAll(Table.lines(report));
        Files.write(text, lines);
        files.add(text);
        return files;
    }

    /** Figures of different transports can be in one directory. */
    private static String transport(Report report) {
        List<String> transports = report.sweep().setups().stream()
                .map(Setup::transport)
                .distinct()
                .toList();
        return transports.size() == 1 ? "-" + transports.getFirst() : "";
    }

    private List<String> footer(Report report) {
        List<String> footer = new ArrayList<>();
        footer.add("Re-creates " + source + ".  " + Table.same(report));
        footer.add(report.commandLine());
        footer.add(String.join("; ", report.origin()));
        footer.add(report.firstNode(report.setups().getFirst()).replaceFirst("^pid \\d+: ", "node 0: "));
        return footer;
    }
}
