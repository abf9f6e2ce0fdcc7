/**
 * What the benchmarks share: command lines; generated payloads; tables, JSON, CSV, pictures, lists
 * of sizes, times, the machine in words.
 */
module io.dxnet.tools.report {
    requires transitive HdrHistogram;
    requires transitive java.desktop;
    requires transitive info.picocli;
    requires me.tongfei.progressbar;
    requires transitive org.knowm.xchart;

    exports io.dxnet.tools.cli;
    exports io.dxnet.tools.payload;
    exports io.dxnet.tools.report;
}
