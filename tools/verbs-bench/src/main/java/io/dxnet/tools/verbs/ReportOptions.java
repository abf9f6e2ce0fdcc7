package io.dxnet.tools.verbs;

import io.dxnet.tools.cli.OptionFiles;
import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options for the output of results, which both benchmarks have. */
public final class ReportOptions {
    @Option(names = "--json", paramLabel = "FILE", description = "write environment and results as JSON")
    private Path json;

    @Option(names = "--csv", paramLabel = "FILE", description = "write the results as comma separated values")
    private Path csv;

    @Option(
            names = "--plot",
            paramLabel = "DIR",
            description = "draw the results with the paper's axes, as PNG and SVG")
    private Path plot;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    private boolean help;

    /** Made by picocli. */
    public ReportOptions() {}

    /**
     * Checks that the files can be written, before anything is measured.
     *
     * @throws IllegalArgumentException naming option, file and reason
     */
    public void check() {
        OptionFiles.requireWritable("--json", json);
        OptionFiles.requireWritable("--csv", csv);
        OptionFiles.requireWritableFolder("--plot", plot);
    }

    /** Draws pictures into a folder. */
    public interface Drawing {
        /**
         * Draws.
         *
         * @param directory exists
         * @return the files
         * @throws IOException when they can't be written
         */
        List<Path> draw(Path directory) throws IOException;
    }

    /**
     * Where and with what this runs.
     *
     * @param spec the command, as parsed
     * @return names and values; devices are for the command to add
     */
    public static Map<String, Object> environment(CommandSpec spec) {
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("machine", HostInfo.machine());
        environment.put("java", HostInfo.java());
        environment.put("version", HostInfo.version());
        List<String> words = new ArrayList<>(List.of("./dxnet"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        environment.put("commandLine", String.join(" ", words));
        return environment;
    }

    /**
     * Writes the environment for people.
     *
     * @param environment of {@link #environment}
     * @return a line for each part
     */
    public static List<String> lines(Map<String, Object> environment) {
        List<String> lines = new ArrayList<>();
        environment.forEach((name, value) ->
                lines.add(name + ": " + (value instanceof Map<?, ?> map ? DeviceInfo.line(map) : value)));
        return lines;
    }

    /**
     * Writes the files that were asked for.
     *
     * @param environment of {@link #environment}
     * @param results an object each
     * @param notes what could not be measured, and why
     * @param drawing draws the pictures
     * @throws IOException when a file can't be written
     */
    public void write(
            Map<String, Object> environment, List<Map<String, Object>> results, List<String> notes, Drawing drawing)
            throws IOException {
        if (json != null) {
            Map<String, Object> whole = new LinkedHashMap<>();
            whole.put("environment", environment);
            whole.put("notes", notes);
            whole.put("results", results);
            Files.writeString(json, Json.write(whole));
        }
        if (csv != null) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (Map<String, Object> result : results) {
                Map<String, Object> row = new LinkedHashMap<>(result);
                row.putAll(environment);
                rows.add(row);
            }
            Csv.write(rows, csv);
        }
        if (plot != null) {
            Files.createDirectories(plot);
            drawing.draw(plot).forEach(file -> System.err.println("wrote " + file));
        }
    }
}
