package io.dxnet.tools.ledger.book;

/**
 * One run of a node, from its start to its end.
 *
 * @param run its number in the round, over all nodes
 * @param node the node
 * @param ending how it ended
 */
public record NodeRun(int run, int node, Ending ending) {
    /** How a run ended. */
    public enum Ending {
        /** By {@link io.dxnet.DXNet#close}. */
        CLOSED,
        /** Its process was killed: what it had not learnt yet, it never will. */
        KILLED
    }
}
