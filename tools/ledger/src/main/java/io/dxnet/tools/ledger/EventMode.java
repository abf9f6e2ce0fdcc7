package io.dxnet.tools.ledger;

/** Which events there are. */
enum EventMode {
    /** None, but for the connection limit: nothing may be reported lost. */
    NONE,
    /** Connections are ended in order, nodes stay healthy: nothing may be reported lost. */
    ORDERLY,
    /** Connections are ended in order, and links fail. */
    LINKS,
    /** All that the transport has. */
    ALL;

    /** Whether nothing may be reported lost. */
    boolean isHealthy() {
        return this == NONE || this == ORDERLY;
    }
}
