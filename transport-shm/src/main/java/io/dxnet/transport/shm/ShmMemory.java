package io.dxnet.transport.shm;

import io.dxnet.DXNetException;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.OneSidedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Access to memory of other nodes of the host by loads and stores: of memory that
 * {@link #allocate} has made. Messages carry notifications, and operations on other memory. Any
 * thread.
 */
final class ShmMemory implements OneSidedMemory {
    private final RingFolder folder;
    private final ProcessIdentity process;
    private final Set<ShmAccess> open = ConcurrentHashMap.newKeySet();

    ShmMemory(RingFolder folder) {
        this.folder = folder;
        this.process = folder.process();
    }

    @Override
    public MemorySegment allocate(Arena arena, long bytes) throws DXNetException {
        SharedPages.removeFreed();
        try {
            return folder.createPages(arena, bytes);
        } catch (IOException e) {
            throw new DXNetException(
                    "no " + bytes + " bytes of shared memory in " + folder.path() + ": " + Channels.describe(e)
                            + "; give that file system more room, set shm.directory, or share other native memory",
                    e);
        }
    }

    @Override
    public ExposedMemory expose(MemorySegment segment, NotifyListener listener) {
        SharedPages pages = SharedPages.of(segment);
        return pages == null ? null : new ShmExposed(pages, process, segment);
    }

    @Override
    public MemoryAccess prepare(int owner) {
        ShmAccess access = new ShmAccess(folder, process, owner, open::remove);
        open.add(access);
        return access;
    }

    @Override
    public void close() {
        open.forEach(ShmAccess::close);
        SharedPages.removeFreed();
    }
}
