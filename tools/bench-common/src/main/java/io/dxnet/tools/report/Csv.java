package io.dxnet.tools.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes objects as comma separated values: the JSON's fields, nested
 * ones as {@code rttMicros.p50}.
 */
public final class Csv {
    private Csv() {}

    /**
     * Writes objects to a file.
     *
     * @param objects as for {@link Json}
     * @param file is replaced
     * @throws IOException when it can't be written
     */
    public static void write(List<Map<String, Object>> objects, Path file) throws IOException {
        Files.write(file, lines(objects));
    }

    /**
     * The head line has every column that any object has; what an object lacks is empty.
     *
     * @param objects as for {@link Json}
     * @return the head line and a line for each object
     */
    public static List<String> lines(List<Map<String, Object>> objects) {
        List<Map<String, String>> rows = new ArrayList<>();
        Map<String, String> columns = new LinkedHashMap<>();
        for (Map<String, Object> object : objects) {
            Map<String, String> row = new LinkedHashMap<>();
            flatten("", object, row);
            row.keySet().forEach(column -> columns.put(column, column));
            rows.add(row);
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", columns.keySet()));
        for (Map<String, String> row : rows) {
            lines.add(String.join(
                    ",",
                    columns.keySet().stream()
                            .map(column -> row.getOrDefault(column, ""))
                            .toList()));
        }
        return lines;
    }

    private static void flatten(String prefix, Map<?, ?> object, Map<String, String> into) {
        object.forEach((key, value) -> {
            if (value instanceof Map<?, ?> nested) {
                flatten(prefix + key + ".", nested, into);
            } else {
                into.put(prefix + key, value == null ? "" : quote(value));
            }
        });
    }

    private static String quote(Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            return Json.write(value).strip();
        }
        String text = value.toString();
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
