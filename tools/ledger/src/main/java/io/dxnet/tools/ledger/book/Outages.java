package io.dxnet.tools.ledger.book;

import java.util.ArrayList;
import java.util.List;

/**
 * When which node was not healthy: being closed, killed,
 * stopped, started, or its link was cut. Any thread.
 */
public final class Outages {
    /** The end of an outage that still lasts. */
    private static final long OPEN = Long.MAX_VALUE;

    private final List<Outage> all = new ArrayList<>();

    private static final class Outage {
        private final int node;
        private final long fromNs;
        private long toNs = OPEN;

        private Outage(int node, long fromNs) {
            this.node = node;
            this.fromNs = fromNs;
        }
    }

    /** No outages. */
    public Outages() {}

    /**
     * Begins an outage; a later {@link #end} ends it.
     *
     * @param node the node
     * @param fromNs now
     */
    public synchronized void begin(int node, long fromNs) {
        all.add(new Outage(node, fromNs));
    }

    /**
     * Ends the outages of a node.
     *
     * @param node the node
     * @param toNs until when its peers may still see them
     */
    public synchronized void end(int node, long toNs) {
        for (Outage outage : all) {
            if (outage.node == node && outage.toNs == OPEN) {
                outage.toNs = toNs;
            }
        }
    }

    /**
     * Whether two nodes were healthy all the time.
     *
     * @param one a node
     * @param other a node
     * @param fromNs begin of the time
     * @param toNs end of the time
     * @return false when either had an outage in that time
     */
    public synchronized boolean areHealthy(int one, int other, long fromNs, long toNs) {
        for (Outage outage : all) {
            if ((outage.node == one || outage.node == other)
                    && outage.fromNs - toNs <= 0
                    && (outage.toNs == OPEN || outage.toNs - fromNs >= 0)) {
                return false;
            }
        }
        return true;
    }
}
