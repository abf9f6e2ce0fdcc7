/** {@code ./dxnet ycsb}: a key-value store on DXNet under the Yahoo! Cloud Serving Benchmark. */
module io.dxnet.tools.ycsb {
    requires io.dxnet.api;
    requires io.dxnet.tools.bench;
    requires io.dxnet.tools.report;
    requires transitive core;
    requires info.picocli;

    exports io.dxnet.tools.ycsb;

    opens io.dxnet.tools.ycsb to
            info.picocli;
}
