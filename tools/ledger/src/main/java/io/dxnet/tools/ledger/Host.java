package io.dxnet.tools.ledger;

import io.dxnet.tools.ledger.node.NodeSpec;
import java.util.List;

/** Where one run of a node runs: in this process or in one of its own. */
interface Host {
    /** What it runs. */
    NodeSpec spec();

    void startTraffic();

    void stopTraffic();

    /** Ends the connection to a peer. */
    void disconnect(int peer);

    /** Lets callbacks sleep, 0 for none. */
    void slow(int ms);

    /** A peer has a new address. */
    void moved(int peer, String address);

    /** Begins a random fault of the node's software device. */
    void beginLinkFault(long seed);

    /** Ends the faults of the node's software device. */
    void endLinkFaults();

    /** Closes the node and checks that it is gone. */
    void close();

    /** {@code kill -9}. */
    default void kill() {
        throw new UnsupportedOperationException("the node is in this process");
    }

    /** SIGSTOP. */
    default void pause() {
        throw new UnsupportedOperationException("the node is in this process");
    }

    /** SIGCONT. */
    default void resume() {
        throw new UnsupportedOperationException("the node is in this process");
    }

    /** Why the node ended by itself; null when it did not. */
    default String failure() {
        return null;
    }

    /** Frees the memory of the books, at the end of the round. */
    default void discard() {}

    /** Starts runs of nodes. */
    interface Starter {
        /** Starts a node without traffic; {@code addresses} are those of all nodes. */
        Host start(NodeSpec spec, List<String> addresses) throws Exception;
    }
}
