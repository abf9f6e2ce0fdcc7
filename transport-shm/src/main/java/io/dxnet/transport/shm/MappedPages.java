package io.dxnet.transport.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of another process: its file, mapped here. Any thread. */
final class MappedPages implements AutoCloseable {
    private final Arena arena;
    private final MemorySegment region;
    private final SharedGate gate;
    private final ProcessIdentity owner;

    /**
     * Of one attachment.
     *
     * @param arena of the mapping
     * @param mapped the whole file
     * @param owner its process
     */
    MappedPages(Arena arena, MemorySegment mapped, PageGrant grant, ProcessIdentity owner) {
        this.arena = arena;
        this.region = mapped.asSlice(grant.offset(), grant.length());
        this.gate = new SharedGate(mapped, PageLayout.gate(grant.gate()), grant.generation());
        this.owner = owner;
    }

    MemorySegment region() {
        return region;
    }

    SharedGate gate() {
        return gate;
    }

    boolean isOwnerAlive() {
        return owner.isAlive();
    }

    /** Unmaps it. When no thread is behind the gate, and none can pass it. */
    @Override
    public void close() {
        arena.close();
    }
}
