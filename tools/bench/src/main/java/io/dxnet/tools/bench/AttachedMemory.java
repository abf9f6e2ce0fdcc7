package io.dxnet.tools.bench;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * The regions of other nodes that one node accesses in a round, in the order of its destinations.
 * Empty with the patterns that access no memory.
 */
final class AttachedMemory implements AutoCloseable {
    private final List<RemoteRegion> regions;

    AttachedMemory(List<RemoteRegion> regions) {
        this.regions = regions;
    }

    /** Attaches to the regions, which their owners have shared. */
    static AttachedMemory attach(DXNet net, RoundSpec spec) throws DXNetException {
        AttachedMemory memory = new AttachedMemory(new ArrayList<>());
        boolean complete = false;
        try {
            if (spec.pattern().accessesMemory()) {
                memory.attachAll(net, spec);
            }
            complete = true;
            return memory;
        } finally {
            if (!complete) {
                memory.close();
            }
        }
    }

    private void attachAll(DXNet net, RoundSpec spec) throws DXNetException {
        String name = OwnedMemory.name(spec.number(), net.nodeId());
        for (int owner : spec.pattern().destinations(spec.index(net.nodeId()), spec.ids().length)) {
            regions.add(net.remoteMemory().attach(spec.ids()[owner], name));
        }
    }

    /** The region of a destination, by its place among the destinations. */
    RemoteRegion region(int destination) {
        return regions.get(destination);
    }

    /** How the regions are accessed. */
    Access access() {
        if (regions.isEmpty()) {
            return Access.NONE;
        }
        return regions.stream().allMatch(RemoteRegion::isOneSided) ? Access.ONE_SIDED : Access.CARRIED;
    }

    /** Detaches. */
    @Override
    public void close() {
        regions.forEach(RemoteRegion::close);
    }
}
