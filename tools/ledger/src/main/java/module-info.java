/**
 * {@code ./dxnet ledger}: random traffic and random events; every
 * message is booked and accounted for.
 */
module io.dxnet.tools.ledger {
    requires io.dxnet.api;
    requires io.dxnet.softhca;
    requires io.dxnet.tools.bench;
    requires io.dxnet.tools.report;
    requires info.picocli;
    requires java.logging;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;

    opens io.dxnet.tools.ledger to
            info.picocli;
}
