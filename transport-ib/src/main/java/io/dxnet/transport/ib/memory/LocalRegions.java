package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Registrations of the local memory of large reads and writes. They are kept for later operations
 * on the same memory, at most 64 of together 64 MiB; the least recently used one is closed first. A
 * registration is valid for memory of one arena alone: an address that another arena got later is
 * registered anew. Memory of the global scope is registered for one operation: native code may
 * have mapped and unmapped it. Any thread.
 */
final class LocalRegions implements AutoCloseable {
    private static final int COUNT_MAX = 64;
    private static final long BYTES_MAX = 64L << 20;

    /** One registration, and how many operations use it. */
    static final class Lease {
        private final MemoryRegion region;
        private final boolean isKept;
        private int users = 1; // under the monitor of the registrations

        private Lease(MemoryRegion region, boolean isKept) {
            this.region = region;
            this.isKept = isKept;
        }

        MemoryRegion region() {
            return region;
        }

        private boolean covers(MemorySegment memory) {
            long offset = memory.address() - region.address();
            return offset >= 0
                    && offset <= region.byteSize() - memory.byteSize()
                    && region.memory().scope().equals(memory.scope())
                    && memory.scope().isAlive();
        }
    }

    private final ProtectionDomain domain;
    private final List<Lease> kept = new ArrayList<>(); // the most recently used one last; under the monitor
    private long keptBytes; // under the monitor

    LocalRegions(ProtectionDomain domain) {
        this.domain = domain;
    }

    /**
     * Registers memory, or finds its registration.
     *
     * @param memory native, not read-only
     * @return the registration, to be released; null where the device refuses it
     * @throws IllegalStateException if the memory's arena is closed
     */
    synchronized Lease acquire(MemorySegment memory) {
        for (int i = kept.size() - 1; i >= 0; i--) {
            Lease lease = kept.get(i);
            if (lease.covers(memory)) {
                kept.add(kept.remove(i));
                lease.users++;
                return lease;
            }
        }
        boolean isKept = memory.byteSize() <= BYTES_MAX
                && !memory.scope().equals(Arena.global().scope());
        makeRoom(isKept ? memory.byteSize() : 0);
        try {
            Lease lease = new Lease(domain.register(memory, Access.LOCAL_WRITE), isKept);
            if (isKept) {
                kept.add(lease);
                keptBytes += memory.byteSize();
            }
            return lease;
        } catch (VerbsException e) {
            return null; // a limit on locked memory, or memory that the device cannot use
        }
    }

    /** Closes registrations of closed arenas, and those that exceed the budget, unless in use. */
    private void makeRoom(long bytes) {
        for (int i = 0; i < kept.size(); ) {
            Lease lease = kept.get(i);
            boolean isOver = keptBytes + bytes > BYTES_MAX || kept.size() >= COUNT_MAX;
            if (lease.users == 0 && (isOver || !lease.region.memory().scope().isAlive())) {
                kept.remove(i);
                keptBytes -= lease.region.byteSize();
                lease.region.close();
            } else {
                i++;
            }
        }
    }

    /** The device does not access the memory for this operation any more. */
    synchronized void release(Lease lease) {
        lease.users--;
        if (!lease.isKept && lease.users == 0) {
            lease.region.close();
        } else {
            makeRoom(0);
        }
    }

    @Override
    public synchronized void close() {
        kept.forEach(lease -> lease.region.close());
        kept.clear();
        keptBytes = 0;
    }
}
