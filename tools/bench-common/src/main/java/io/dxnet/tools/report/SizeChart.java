package io.dxnet.tools.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/** A picture over the payload size, whose axis has powers of two. */
public final class SizeChart {
    /** Of a picture, pixels. */
    public static final int WIDTH = 900;

    /** Of a picture, pixels. */
    public static final int HEIGHT = 560;

    private SizeChart() {}

    /**
     * Sets the horizontal axis and the style of a picture.
     *
     * @param chart the picture
     * @param sizes the logarithms of the payload sizes, ascending, at least one
     */
    public static void style(XYChart chart, double[] sizes) {
        XYStyler styler = chart.getStyler();
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        double first = Math.floor(sizes[0]);
        double last = Math.ceil(sizes[sizes.length - 1]);
        styler.setXAxisMin(first == last ? first - 1 : first);
        styler.setXAxisMax(first == last ? last + 1 : last);
        styler.setxAxisTickLabelsFormattingFunction(SizeChart::sizeLabel);
        styler.setXAxisTickMarkSpacingHint(50);
        styler.setMarkerSize(7);
        styler.setErrorBarsColorSeriesColor(true);
    }

    /** The x axis is the logarithm to base 2, which XChart does not offer. */
    private static String sizeLabel(double log2) {
        return log2 == Math.rint(log2) && log2 >= 0 ? Sizes.format(1L << (long) log2) : " ";
    }

    /**
     * Where a size is on the axis.
     *
     * @param size bytes
     * @return the logarithm to base 2
     */
    public static double log2(int size) {
        return Math.log(size) / Math.log(2);
    }

    /**
     * Writes a picture as PNG and as SVG.
     *
     * @param chart the picture
     * @param directory exists
     * @param name of the files, without an ending
     * @return both files
     * @throws IOException when they can't be written
     */
    public static List<Path> save(Chart<?, ?> chart, Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
        return List.of(directory.resolve(name + ".png"), directory.resolve(name + ".svg"));
    }
}
