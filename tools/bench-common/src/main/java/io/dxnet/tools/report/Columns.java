package io.dxnet.tools.report;

import java.util.ArrayList;
import java.util.List;

/** Lines up the cells of a table. */
public final class Columns {
    private Columns() {}

    /**
     * Right-aligned columns, as wide as their widest cell.
     *
     * @param rows the first is the head; all have as many cells
     * @return a line for each row
     */
    public static List<String> align(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(" ".repeat(widths[i] - row.get(i).length() + (i == 0 ? 0 : 2)))
                        .append(row.get(i));
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
