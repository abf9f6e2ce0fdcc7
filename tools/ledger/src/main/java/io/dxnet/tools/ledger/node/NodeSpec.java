package io.dxnet.tools.ledger.node;

import java.nio.file.Path;
import java.util.Set;

/**
 * One run of a node.
 *
 * @param node its id, below {@code nodes}
 * @param run its number in the round
 * @param nodes how many nodes there are, with the ids from 0
 * @param seed of its traffic
 * @param rate the most messages of its sending threads
 *     together, per second; 0 for as many as possible
 * @param senders from where messages are sent
 * @param directory of the books
 */
public record NodeSpec(int node, int run, int nodes, long seed, int rate, Set<SenderKind> senders, Path directory) {
    boolean has(SenderKind kind) {
        return senders.contains(kind);
    }
}
