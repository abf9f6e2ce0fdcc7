package io.dxnet.tools.ledger;

import java.util.Random;

/** Faults of software devices: each is begun where the node runs that has the device. */
final class NodeLinkFaults implements LinkFaults {
    private final Round round;
    private final int nodes;
    private final int forMsMax;
    private final Random random;

    /**
     * Creates them.
     *
     * @param nodes how many, each with a software device
     * @param forMsMax how long a fault lasts at most, milliseconds
     */
    NodeLinkFaults(Round round, int nodes, int forMsMax, Random random) {
        this.round = round;
        this.nodes = nodes;
        this.forMsMax = forMsMax;
        this.random = random;
    }

    @Override
    public int begin() {
        round.host(random.nextInt(nodes)).beginLinkFault(random.nextLong());
        return forMsMax;
    }

    @Override
    public void end() {
        for (int node = 0; node < nodes; node++) {
            round.host(node).endLinkFaults();
        }
    }

    @Override
    public void close() {
        end();
    }
}
