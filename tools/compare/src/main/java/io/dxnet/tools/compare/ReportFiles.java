package io.dxnet.tools.compare;

import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a report in all its forms. */
final class ReportFiles {
    /** Of each file, without its ending. */
    static final String NAME = "comparison";

    private ReportFiles() {}

    static List<Path> write(Report report, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path markdown = directory.resolve(NAME + ".md");
        Path csv = directory.resolve(NAME + ".csv");
        Path json = directory.resolve(NAME + ".json");
        Files.write(markdown, Markdown.lines(report));
        Csv.write(report.objects(), csv);
        Files.writeString(json, Json.write(report.objects()));
        List<Path> files = new ArrayList<>(List.of(markdown, csv, json));
        files.addAll(new Picture(report).save(directory));
        return files;
    }
}
