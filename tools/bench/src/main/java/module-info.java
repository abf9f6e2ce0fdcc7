/** {@code ./dxnet bench}: measures DXNet between nodes of this machine or of a cluster. */
module io.dxnet.tools.bench {
    requires io.dxnet.api;
    requires io.dxnet.runtime;
    requires io.dxnet.tools.report;
    requires info.picocli;
    requires HdrHistogram;
    requires java.desktop;
    requires jdk.management;

    exports io.dxnet.tools.bench.keys to
            io.dxnet.tools.ledger;
    exports io.dxnet.tools.bench.nodes to
            io.dxnet.tools.ledger,
            io.dxnet.tools.ycsb;

    opens io.dxnet.tools.bench to
            info.picocli;
    opens io.dxnet.tools.bench.keys to
            info.picocli;
    opens io.dxnet.tools.bench.nodes to
            info.picocli;

    uses io.dxnet.transport.TransportProvider;
}
