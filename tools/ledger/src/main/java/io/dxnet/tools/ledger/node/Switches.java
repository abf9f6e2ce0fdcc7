package io.dxnet.tools.ledger.node;

/**
 * What the controller switches while a node runs. Written by the controller,
 * read by all threads of the node.
 */
final class Switches {
    /** Nothing new is sent any more. */
    volatile boolean stopped;

    /** How long each callback sleeps, milliseconds. */
    volatile int slowMs;
}
