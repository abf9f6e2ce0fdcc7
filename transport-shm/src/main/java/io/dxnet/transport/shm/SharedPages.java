package io.dxnet.transport.shm;

import io.dxnet.DXNetException;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Memory of this process that other processes of the user can map: a named file. It belongs to the
 * process: each of its nodes may share it. Only segments of the application keep the memory from
 * being freed; the gates have a mapping of their own. Any thread.
 */
final class SharedPages {
    /** By the address of their memory. */
    private static final ConcurrentSkipListMap<Long, SharedPages> ALL = new ConcurrentSkipListMap<>();

    private static volatile boolean ended; // the process ends

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(SharedPages::end, "dxnet-shm-remove"));
        } catch (IllegalStateException e) {
            // the process ends already: the next node that starts removes the files
        }
    }

    private final String name;
    private final Runnable removal;
    private final MemorySegment head;
    private final long address; // of the application's memory, as the next two
    private final long bytes;
    private final WeakReference<MemorySegment.Scope> scope;
    private final BitSet gates = new BitSet(); // in use; under the monitor

    /**
     * New pages.
     *
     * @param name of the file
     * @param removal removes the name
     * @param head the file up to the application's memory
     * @param memory the rest
     */
    SharedPages(String name, Runnable removal, MemorySegment head, MemorySegment memory) {
        this.name = name;
        this.removal = removal;
        this.head = head;
        this.address = memory.address();
        this.bytes = memory.byteSize();
        this.scope = new WeakReference<>(memory.scope());
        SharedPages freed = ALL.put(address, this);
        if (freed != null) { // its memory was freed, and the address is used again
            freed.removal.run();
        }
        if (ended) { // and there is no other thread that would remove it
            removal.run();
        }
    }

    /** {@return the pages that a segment is in; null: it is in none} */
    static SharedPages of(MemorySegment segment) {
        removeFreed(); // of memory whose addresses are used again
        Map.Entry<Long, SharedPages> below = ALL.floorEntry(segment.address());
        if (below == null) {
            return null;
        }
        SharedPages pages = below.getValue();
        boolean isInside =
                segment.scope().equals(pages.scope.get()) && pages.offset(segment) + segment.byteSize() <= pages.bytes;
        return isInside ? pages : null;
    }

    /** Removes the files whose memory is freed. */
    static void removeFreed() {
        for (Map.Entry<Long, SharedPages> each : ALL.entrySet()) {
            SharedPages pages = each.getValue();
            if (!pages.isAlive() && ALL.remove(each.getKey(), pages)) {
                pages.removal.run();
            }
        }
    }

    /** The process ends, whose memory is not freed. */
    private static void end() {
        ended = true; // first: pages that are not found here are new
        removeAll();
    }

    /** Removes the names of all. */
    static void removeAll() {
        ALL.values().forEach(pages -> pages.removal.run());
    }

    private boolean isAlive() {
        MemorySegment.Scope used = scope.get();
        return used != null && used.isAlive();
    }

    String name() {
        return name;
    }

    /** {@return where a segment of it begins in the application's memory} */
    long offset(MemorySegment segment) {
        return segment.address() - address;
    }

    /** {@return the bytes of the file} */
    long fileBytes() {
        return PageLayout.MEMORY_OFFSET + bytes;
    }

    /** {@return the index of a gate that no attachment has} */
    synchronized int acquireGate() throws DXNetException {
        int index = gates.nextClearBit(0);
        if (!PageLayout.isGate(index)) {
            throw new DXNetException("memory of one allocation has " + PageLayout.GATES + " attachments already");
        }
        gates.set(index);
        return index;
    }

    /** No thread is behind it, and none can pass it. */
    synchronized void releaseGate(int index) {
        gates.clear(index);
    }

    /** Opens a gate for an attachment that has acquired it; if it cannot, releases it. */
    SharedGate open(int gate) throws DXNetException {
        try {
            SharedGate opened = SharedGate.open(head, PageLayout.gate(gate));
            Faults.raise();
            return opened;
        } catch (InternalError e) {
            releaseGate(gate);
            throw new DXNetException("another process has made the file of the shared memory shorter", e);
        }
    }
}
