package io.dxnet.tools.ledger;

/** Which events there are. */
enum EventMode {
    /** None, but for the connection limit: nothing may be reported lost. */
    NONE,
    /** Connections are ended in order, nodes stay healthy: nothing may be reported lost. */
    ORDERLY,
    /** All that the transport has. */
    ALL
}
