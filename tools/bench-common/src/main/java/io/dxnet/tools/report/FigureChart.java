package io.dxnet.tools.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.Styler.YAxisPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A figure as in a paper: curves with error bars over an axis of powers of two or of time, one or
 * two vertical axes. A footer describes how the figure was made. Used by one thread.
 */
public final class FigureChart extends XYChart {
    /** Of the curves, pixels; the footer comes below. */
    public static final int PLOT_HEIGHT = 600;

    private static final int FOOTER_LINE = 15;
    private static final int FOOTER_MARGIN = 10;
    /** Characters of a footer's line that fit into the width. */
    private static final int FOOTER_CHARACTERS = 140;

    /** Of the names in the legend, as many as fit into one line. */
    private static final int LEGEND_CHARACTERS = 120;

    /** Of a legend that stands beside the curves, pixels. */
    private static final int LEGEND_WIDTH = 240;

    private static final Font FOOTER_FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);

    private static final Color[] COLORS = {
        new Color(0x1F, 0x5A, 0xA6),
        new Color(0xC0, 0x50, 0x20),
        new Color(0x2E, 0x8B, 0x57),
        new Color(0x7B, 0x3F, 0x9E),
        new Color(0x00, 0x8B, 0x8B),
        new Color(0xB8, 0x86, 0x0B),
        new Color(0xB0, 0x30, 0x60),
        new Color(0x60, 0x60, 0x60)
    };
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
    };

    private static final float[][] DASHES = {{}, {6, 4}, {2, 3}, {8, 3, 2, 3}};

    private final List<String> footer;
    private final boolean[] logarithmic = new boolean[2];
    private final double[] smallest = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    private final double[] largest = new double[2];

    /**
     * A curve's point.
     *
     * @param x where it is on the axis, in the axis' own unit
     * @param y its value over the runs
     */
    public record Dot(double x, Span y) {}

    /**
     * An empty figure.
     *
     * @param title above the curves
     * @param footer paragraphs below them, broken into lines where they are long
     */
    public FigureChart(String title, List<String> footer) {
        super(SizeChart.WIDTH, PLOT_HEIGHT + footerHeight(wrap(footer)), ChartTheme.XChart);
        this.footer = wrap(footer);
        setTitle(title);
        XYStyler styler = getStyler();
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setMarkerSize(7);
        styler.setErrorBarsColorSeriesColor(true);
    }

    /**
     * The horizontal axis has powers of two.
     *
     * @param title of the axis
     * @param min the smallest value
     * @param max the largest value
     * @param label how a power of two is written
     * @return this figure
     */
    public FigureChart powersOfTwo(String title, int min, int max, IntFunction<String> label) {
        setXAxisTitle(title);
        double first = Math.floor(SizeChart.log2(min));
        double last = Math.ceil(SizeChart.log2(max));
        getStyler().setXAxisMin(first == last ? first - 1 : first);
        getStyler().setXAxisMax(first == last ? last + 1 : last);
        getStyler().setXAxisTickMarkSpacingHint(50);
        getStyler()
                .setxAxisTickLabelsFormattingFunction(x ->
                        x == Math.rint(x) && x >= 0 && x < Integer.SIZE - 1 ? label.apply(1 << (int) (double) x) : " ");
        return this;
    }

    /**
     * The horizontal axis is linear, from 0.
     *
     * @param title of the axis
     * @param max its end
     * @return this figure
     */
    public FigureChart linear(String title, double max) {
        setXAxisTitle(title);
        getStyler().setXAxisMin(0.0);
        getStyler().setXAxisMax(max);
        return this;
    }

    /**
     * A vertical axis.
     *
     * @param axis 0 is the left one, 1 the right one
     * @param title of the axis
     * @param log whether it has powers of ten; XChart has that for both axes or for none
     * @return this figure
     */
    public FigureChart vertical(int axis, String title, boolean log) {
        setYAxisGroupTitle(axis, title);
        getStyler().setYAxisGroupPosition(axis, axis == 0 ? YAxisPosition.Left : YAxisPosition.Right);
        getStyler().setYAxisLogarithmic(log);
        logarithmic[axis] = log;
        if (log) {
            getStyler().setYAxisDecimalPattern("#,##0.###");
        } else {
            getStyler().setYAxisMin(axis, 0.0);
        }
        return this;
    }

    /**
     * A curve. Its error bars reach to the run that is farthest from the average.
     *
     * @param name in the legend
     * @param axis 0 is the left one, 1 the right one
     * @param color 0, 1, 2 and so on; curves that belong together have the same
     * @param style of its line: 0 is solid, 1 dashed, 2 dotted, 3 dashed and dotted
     * @param dots its points from left to right; none: no curve
     */
    public void curve(String name, int axis, int color, int style, List<Dot> dots) {
        if (dots.isEmpty()) {
            return;
        }
        double[] x = new double[dots.size()];
        double[] y = new double[dots.size()];
        double[] error = new double[dots.size()];
        for (int i = 0; i < x.length; i++) {
            Span span = dots.get(i).y();
            x[i] = dots.get(i).x();
            y[i] = span.avg();
            error[i] = Math.max(0, Math.max(span.max() - span.avg(), span.avg() - span.min()));
            if (logarithmic[axis]) {
                y[i] = Math.max(y[i], Double.MIN_NORMAL);
                error[i] = Math.min(error[i], y[i] * 0.5); // a logarithmic axis has no zero
            }
            smallest[axis] = Math.min(smallest[axis], y[i] - error[i]);
            largest[axis] = Math.max(largest[axis], y[i] + error[i]);
        }
        XYSeries series = addSeries(name, x, y, error);
        series.setYAxisGroup(axis);
        series.setLineColor(COLORS[color % COLORS.length]);
        series.setMarkerColor(COLORS[color % COLORS.length]);
        series.setMarker(MARKERS[(color + color / COLORS.length) % MARKERS.length]);
        series.setLineWidth(1.6f);
        float[] dashes = DASHES[style % DASHES.length];
        if (dashes.length > 0) {
            series.setLineStyle(new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dashes, 0));
        }
    }

    /**
     * A vertical line.
     *
     * @param x where it is
     */
    public void mark(double x) {
        addAnnotation(new AnnotationLine(x, true, false));
    }

    /**
     * Writes the figure as PNG and as SVG.
     *
     * @param directory exists
     * @param name of the files, without an ending
     * @return both files
     * @throws IOException when they can't be written
     */
    public List<Path> save(Path directory, String name) throws IOException {
        for (int axis = 0; axis < 2; axis++) {
            if (logarithmic[axis] && largest[axis] > 0) {
                // XChart labels decades alone, so both ends of the axis shall be some.
                getStyler().setYAxisMin(axis, Math.pow(10, Math.floor(Math.log10(smallest[axis]))));
                getStyler().setYAxisMax(axis, Math.pow(10, Math.ceil(Math.log10(largest[axis]))));
            }
        }
        if (String.join("    ", getSeriesMap().keySet()).length()
                        + 8 * getSeriesMap().size()
                > LEGEND_CHARACTERS) {
            getStyler().setLegendPosition(LegendPosition.OutsideE);
            getStyler().setLegendLayout(LegendLayout.Vertical);
            setWidth(SizeChart.WIDTH + LEGEND_WIDTH);
        }
        return SizeChart.save(this, directory, name);
    }

    @Override
    public void paint(Graphics2D g, int width, int height) {
        int plotHeight = height - footerHeight(footer);
        super.paint(g, width, plotHeight);
        setHeight(height); // paint has changed it, and it decides the size of the file
        g.setColor(Color.WHITE);
        g.fillRect(0, plotHeight, width, height - plotHeight);
        g.setColor(Color.DARK_GRAY);
        g.setFont(FOOTER_FONT);
        IntStream.range(0, footer.size())
                .forEach(i -> g.drawString(footer.get(i), FOOTER_MARGIN, plotHeight + (i + 1) * FOOTER_LINE));
    }

    private static int footerHeight(List<String> lines) {
        return lines.size() * FOOTER_LINE + FOOTER_MARGIN;
    }

    private static List<String> wrap(List<String> paragraphs) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : paragraphs) {
            String rest = paragraph;
            while (rest.length() > FOOTER_CHARACTERS && rest.lastIndexOf(' ', FOOTER_CHARACTERS) > 0) {
                int space = rest.lastIndexOf(' ', FOOTER_CHARACTERS);
                lines.add(rest.substring(0, space));
                rest = "    " + rest.substring(space + 1);
            }
            lines.add(rest);
        }
        return lines;
    }
}
