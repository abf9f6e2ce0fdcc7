package io.dxnet.memory;

import io.dxnet.DXNetException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Memory that other nodes read and write without a callback of the application, on every
 * transport: {@link io.dxnet.DXNet#remoteMemory()}. The owner {@link #share shares} a segment
 * under a name, other nodes {@link #attach} to it.
 *
 * <pre>{@code
 * try (SharedRegion region = memory.share("index", segment, EnumSet.of(READ, WRITE, ATOMIC),
 *     Peers.of(3, 7))) { region.onNotify((from, offset, length, value) -> ...);
 * }
 * RemoteRegion index = memory.attach(owner, "index");
 * index.read(offset, target);
 * index.writeAndNotify(offset, source, value);
 * long before = index.fetchAdd(offset, 1);
 * }</pre>
 *
 * <p>Where the transport's hardware accesses memory of other nodes by itself, or a process of the
 * same host maps it, operations are one-sided ({@link RemoteRegion#isOneSided}); elsewhere message
 * handler threads of the owner's engine carry them out. Handlers and listeners of the owner that
 * block delay those.
 *
 * <p>Not promised: the order in which the bytes of one write become visible; that a read sees a
 * write that runs at the same time whole or not at all ({@link VersionedRegion} promises that);
 * when code of the owner that polls its segment sees a write, except in a
 * {@link NotifyListener}; where {@link RemoteRegion#isOneSided}, that atomics of a device are
 * atomic together with those of the owner's processors.
 *
 * <p>Any thread may call any method.
 */
public interface RemoteMemory {
    /** The longest name of a region, characters. */
    int NAME_CHARS_MAX = 255;

    /**
     * Allocates memory to be shared, zeros, of the kind that the transport's peers access the
     * fastest. Over shared memory, that is memory that the processes of one host map:
     * their reads, writes and atomics are loads and stores. Elsewhere, and for other segments, it
     * makes no difference.
     *
     * @param arena frees it: after {@link SharedRegion#close} of the regions that have it; one
     *     whose segments any thread may access
     * @param bytes 1 or more
     * @return the memory, at an address that is a multiple of 64
     * @throws IllegalArgumentException when there are no bytes, or the arena confines its
     *     segments to a thread
     * @throws DXNetException when there is no room
     */
    MemorySegment allocate(Arena arena, long bytes) throws DXNetException;

    /**
     * Shares a segment.
     *
     * @param name 1 to 255 characters, one region of a name at a time
     * @param segment any thread must be able to access it, also until {@link SharedRegion#close}
     *     has returned: of {@code Arena.ofShared()}, {@code Arena.global()},
     *     {@code Arena.ofAuto()}, or on the heap; native memory where the transport is one-sided;
     *     for {@link Right#ATOMIC} native memory whose address is a multiple of 8
     * @param rights what the peers may do
     * @param peers the nodes that may attach
     * @return the region
     * @throws IllegalArgumentException when name or segment are none of those
     * @throws IllegalStateException when a region of this name is shared already
     * @throws DXNetException when the device refuses to register the memory
     */
    SharedRegion share(String name, MemorySegment segment, Set<Right> rights, Peers peers) throws DXNetException;

    /**
     * Attaches to a region of another node, or of this one. Waits for its answer for
     * {@link io.dxnet.DXNetConfig#requestTimeoutMs()}; does not wait for a region that is not
     * shared yet. Attach once, and use the region on all threads: an owner refuses more than 64
     * attachments of a node to a region with {@link RemoteMemoryException.NoRight}, until some are
     * closed.
     *
     * @param owner the node that shares it, 0 to 65535
     * @param name its name
     * @return the region
     * @throws RemoteMemoryException {@link RemoteMemoryException.NoSuchRegion},
     *     {@link RemoteMemoryException.NoRight}, {@link RemoteMemoryException.OwnerGone} or
     *     {@link RemoteMemoryException.TimedOut}
     * @throws DXNetException when the device refuses, or the thread was interrupted
     */
    RemoteRegion attach(int owner, String name) throws DXNetException;
}
