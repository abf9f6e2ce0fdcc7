package io.dxnet.runtime.connect;

import io.dxnet.runtime.wire.HeaderDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * The receive memory of a simulated node, which its connections share: as {@code ReceiveBudget}, it
 * refuses what does not fit, but for the rest of the oldest incomplete message.
 */
final class SimMemory {
    private final long bytesMax;
    private final List<SimLink> incomplete = new ArrayList<>(); // the oldest message first

    SimMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** {@return how much a connection may receive; 0: reading is refused} */
    int allowance(SimLink link, long bytesInUse) {
        long bytes = bytesMax - bytesInUse;
        if (!incomplete.isEmpty() && incomplete.getFirst() == link) {
            long end = link.parsedEnd + link.incoming.from.stream.get(link.parsedMessages).bytes;
            bytes = Math.max(bytes, end - link.connection.bytesReceived().get());
        }
        return Math.clamp(bytes, 0, SimWorld.KERNEL_BYTES);
    }

    /**
     * The coordinator has parsed a buffer. What is there of an incomplete message is confirmed
     * ahead.
     *
     * @param isNext whether a message before that one became whole
     */
    void parsed(SimLink link, boolean isNext) {
        if (isNext) {
            incomplete.remove(link);
        }
        int bytes = link.incompleteBytes();
        boolean isGoodbye = link.parsedMessages == link.incoming.from.stream.size();
        if (bytes >= HeaderDescriptor.BYTES && !isGoodbye) {
            link.connection.processed(bytes - link.ahead);
            link.ahead = bytes;
            if (!link.closed && !incomplete.contains(link)) {
                incomplete.add(link);
            }
        }
    }

    /** Its incomplete message is dropped. */
    void closed(SimLink link) {
        incomplete.remove(link);
    }
}
