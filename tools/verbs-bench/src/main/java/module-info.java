/**
 * {@code ./dxnet verbs-bench} and {@code ./dxnet endpoints-bench}: benchmarks of the verbs binding.
 */
module io.dxnet.tools.verbs {
    requires HdrHistogram;
    requires info.picocli;
    requires io.dxnet.ibverbs;
    requires io.dxnet.softhca;
    requires io.dxnet.tools.report;
    requires java.desktop;
    requires java.management;

    opens io.dxnet.tools.verbs to
            info.picocli;
    opens io.dxnet.tools.verbs.endpoints to
            info.picocli;
    opens io.dxnet.tools.verbs.jib to
            info.picocli;
}
