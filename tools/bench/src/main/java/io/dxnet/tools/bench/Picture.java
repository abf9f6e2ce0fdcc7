package io.dxnet.tools.bench;

import io.dxnet.tools.report.FigureChart;
import java.util.List;

/** Something that is drawn of a report. */
interface Picture {
    /**
     * Appended to the figure's name, with a dash before it; empty where the figure has one picture.
     */
    String suffix();

    /**
     * Draws it.
     *
     * @param report with one point at least
     * @param title above it
     * @param footer below it
     */
    FigureChart draw(Report report, String title, List<String> footer);
}
