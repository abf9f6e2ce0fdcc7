package io.dxnet.tools.ledger;

import java.io.IOException;

/** Faults of the links between the nodes. One thread. */
interface LinkFaults extends AutoCloseable {
    /**
     * Begins a random fault; another one may still last.
     *
     * @return how long it lasts at most, milliseconds
     */
    int begin() throws IOException;

    /** Ends all faults that began. */
    void end() throws IOException;

    /** Leaves links without faults. */
    @Override
    void close() throws IOException;
}
