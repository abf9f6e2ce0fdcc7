package io.dxnet.tools.bench;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.memory.NotifyListener;
import io.dxnet.memory.Peers;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The memory of one node that others access in a round: a region for each of them, divided by
 * {@link Slices}. Empty with the patterns that access no memory.
 */
final class OwnedMemory implements AutoCloseable {

    private final List<SharedRegion> regions = new ArrayList<>();

    /**
     * Shares the regions.
     *
     * @param listener of the notifications
     */
    static OwnedMemory share(DXNet net, RoundSpec spec, NotifyListener listener) throws DXNetException {
        OwnedMemory memory = new OwnedMemory();
        boolean complete = false;
        try {
            if (spec.pattern().accessesMemory()) {
                memory.share(net, spec, spec.index(net.nodeId()), listener);
            }
            complete = true;
            return memory;
        } finally {
            if (!complete) {
                memory.close();
            }
        }
    }

    /** The name of the region that {@code source} accesses in a round. */
    static String name(int round, int source) {
        return "bench-" + round + "-" + source;
    }

    private void share(DXNet net, RoundSpec spec, int own, NotifyListener listener) throws DXNetException {
        for (int source : spec.pattern().sources(own, spec.ids().length)) {
            int sourceId = spec.ids()[source];
            // The collector frees it: on a round that failed, threads may still access it.
            MemorySegment segment =
                    net.remoteMemory().allocate(Arena.ofAuto(), Slices.of(spec).bytes());
            if (spec.pattern() == Pattern.READ && spec.verify()) {
                fill(segment, spec, sourceId, net.nodeId());
            }
            SharedRegion region = net.remoteMemory()
                    .share(name(spec.number(), sourceId), segment, rights(spec.pattern()), Peers.of(sourceId));
            regions.add(region);
            region.onNotify(listener);
        }
    }

    /** Writes also read, to verify. */
    private static Set<Right> rights(Pattern pattern) {
        return switch (pattern) {
            case READ -> EnumSet.of(Right.READ);
            case ATOMIC -> EnumSet.of(Right.ATOMIC);
            default -> EnumSet.of(Right.READ, Right.WRITE);
        };
    }

    /** Each slot gets the content that {@link ReadSender} expects. */
    private static void fill(MemorySegment segment, RoundSpec spec, int source, int own) {
        Slices slices = Slices.of(spec);
        SlotContent content = new SlotContent();
        for (int thread = 0; thread < spec.threads(); thread++) {
            long key = Payload.streamKey(source, own, thread, spec.number());
            for (int slot = 0; slot < spec.slots(); slot++) {
                content.fill(segment.asSlice(slices.offset(thread, slot), spec.size()), key, slot);
            }
        }
    }

    /** Revokes all access. */
    @Override
    public void close() {
        regions.forEach(SharedRegion::close);
    }
}
