package io.dxnet.runtime.memory;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.OneSidedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remote memory of one node: see {@link RemoteMemory}. Any thread. */
public final class MemoryService implements RemoteMemory {
    private static final int PIECE_MAX = 256 << 10;
    /** So many bytes have as much time as an operation without any. */
    private static final int BYTES_SHIFT = 24;

    private record Key(int owner, long attachment) {}

    private final Services services;
    private final OwnedRegions owned;
    private final Map<Key, AttachedRegion> attached = new ConcurrentHashMap<>();
    private final UnsentNotices unsent = new UnsentNotices();
    private final int ownNode;
    private final int pieceMax;
    private final Duration timeout;
    private volatile boolean closed;
    private volatile @Nullable OneSidedMemory used; // closed at the end

    /** No region yet. Before the threads run. */
    public MemoryService(DXNetConfig config, int ownNode, TypeRegistry types, Services services) {
        this.services = services;
        this.ownNode = ownNode;
        this.pieceMax = pieceMax(config);
        this.timeout = Duration.ofMillis(config.requestTimeoutMs());
        this.owned = new OwnedRegions(services, pieceMax);
        owned.register(types);
        types.registerService(Notice.REVOKED, Notice::new, (Notice notice) -> {
            AttachedRegion region = attached.get(new Key(notice.source(), notice.attachment()));
            if (region != null) {
                region.revoke();
            }
        });
    }

    /** A piece is sent as one message that need not be streamed through the ring. */
    static int pieceMax(DXNetConfig config) {
        int message = Math.min(config.maxMessageBytes(), config.ringBytes() / 2 - HeaderDescriptor.BYTES);
        return Math.min(PIECE_MAX, message - WriteRequest.HEADER_BYTES);
    }

    private @Nullable OneSidedMemory oneSided() {
        OneSidedMemory device = services.oneSided().get();
        if (device != null) {
            used = device;
        }
        return device;
    }

    // ---------------------------------------------------------------- regions of this node

    @Override
    public MemorySegment allocate(Arena arena, long bytes) throws DXNetException {
        if (bytes < 1) {
            throw new IllegalArgumentException("memory of " + bytes + " bytes");
        }
        if (!Segments.isShared(arena.allocate(0))) {
            throw new IllegalArgumentException("the arena confines its segments to a thread: use a shared one");
        }
        OneSidedMemory device = oneSided();
        return device == null ? arena.allocate(bytes, OneSidedMemory.ALIGNMENT) : device.allocate(arena, bytes);
    }

    @Override
    public SharedRegion share(String name, MemorySegment segment, Set<Right> rights, Peers peers)
            throws DXNetException {
        checkName(name);
        checkSegment(segment, rights);
        Objects.requireNonNull(peers, "peers");
        if (closed) {
            throw services.connections().closedException();
        }
        Set<Right> copy = rights.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(rights));
        OwnedRegion region = new OwnedRegion(owned, owned.nextId(), name, segment, copy, peers, timeoutNs());
        OneSidedMemory device = oneSided();
        if (device != null && segment.isNative()) {
            region.exposed(device.expose(segment, new OrderedNotifications(region, services)));
        }
        try {
            owned.add(region);
        } catch (IllegalStateException e) {
            region.close();
            throw e;
        }
        if (closed) { // meanwhile: close() may not have found it
            region.close();
            throw services.connections().closedException();
        }
        return region;
    }

    private static void checkName(String name) {
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "the name of a region has 1 to " + NAME_CHARS_MAX + " characters, not " + name.length());
        }
    }

    private static void checkSegment(MemorySegment segment, Set<Right> rights) {
        if (!Segments.isShared(segment)) {
            throw new IllegalArgumentException("the segment is confined to a thread: use a shared arena");
        }
        if (segment.isReadOnly() && !Set.of(Right.READ).containsAll(rights)) {
            throw new IllegalArgumentException("the segment is read-only, the rights are " + rights);
        }
        if (rights.contains(Right.ATOMIC) && (!segment.isNative() || !Segments.isAligned(segment.address()))) {
            throw new IllegalArgumentException("atomics need native memory at an address that is a multiple of 8");
        }
    }

    // ---------------------------------------------------------------- regions of other nodes

    @Override
    public RemoteRegion attach(int owner, String name) throws DXNetException {
        checkName(name);
        if (owner < 0 || owner >= io.dxnet.Message.NODES_MAX) {
            throw new IllegalArgumentException("node id " + owner + " is not in 0..65535");
        }
        services.readiness().use();
        Failures failures = new Failures(owner, name);
        AttachedRegion region = new AttachedRegion(this, failures, link(failures));
        attached.put(new Key(owner, region.attachment()), region);
        return region;
    }

    /** Asks the owner for access. */
    Link link(Failures failures) throws DXNetException {
        int owner = failures.owner();
        MemoryAccess device = prepare(owner);
        AttachReply reply;
        boolean isGranted = false;
        try {
            byte[] request = device == null ? new byte[0] : device.request();
            long[] ended = unsent.of(owner);
            for (long each : ended) { // ahead of the request: the owner handles in order what one peer sends
                Notice.send(services, owner, Notice.DETACHED, each);
            }
            reply = services.requester().sendSync(new AttachRequest(owner, failures.name(), request), timeout);
            unsent.remove(owner, ended);
            if (reply.status() != Status.OK) {
                throw failures.of(reply.status());
            }
            isGranted = true;
        } catch (DXNetException e) {
            throw failures.of(e, Outcome.NOT_DONE) instanceof DXNetException known ? known : e;
        } finally {
            if (device != null && !isGranted) {
                device.close();
            }
        }
        MemoryAccess access = open(device, reply, failures);
        return new Link(
                access != null && access.notifies() ? access : withMessages(access, reply, failures),
                reply.attachment(),
                reply.region(),
                reply.length(),
                reply.rights());
    }

    private MemoryAccess withMessages(@Nullable MemoryAccess device, AttachReply reply, Failures failures) {
        CarriedAccess messages = new CarriedAccess(
                services.requester(),
                new Route(failures.owner(), reply.attachment(), Math.min(pieceMax, reply.pieceMax()), failures),
                services.completions());
        return device == null ? messages : new MixedAccess(device, messages);
    }

    private @Nullable MemoryAccess prepare(int owner) {
        OneSidedMemory oneSided = oneSided();
        if (oneSided == null || owner == ownNode) {
            return null;
        }
        try {
            return oneSided.prepare(owner);
        } catch (DXNetException e) {
            carried(owner, e);
            return null;
        }
    }

    /** {@return the device's access; null: messages carry the operations} */
    private @Nullable MemoryAccess open(@Nullable MemoryAccess device, AttachReply reply, Failures failures) {
        if (device == null) {
            return null;
        }
        if (reply.device().length > 0) {
            try {
                device.open(reply.device());
                return device;
            } catch (DXNetException e) {
                carried(failures.owner(), e);
            }
        }
        device.close();
        return null;
    }

    private void carried(int owner, DXNetException cause) {
        services.errors()
                .error(
                        "there is no one-sided access to memory of node " + owner + ": messages carry operations",
                        cause);
    }

    /** A region has another attachment now. */
    void moved(AttachedRegion region, long before, long now) {
        attached.put(new Key(region.owner(), now), region); // first: one of them is always there
        attached.remove(new Key(region.owner(), before));
    }

    /** A region is detached. */
    void closed(AttachedRegion region, long attachment) {
        attached.remove(new Key(region.owner(), attachment));
        detach(region.owner(), attachment);
    }

    /** Informs the owner, at the latest when this node attaches to it again. */
    void detach(int owner, long attachment) {
        if (!Notice.trySend(services, owner, Notice.DETACHED, attachment)) {
            unsent.add(owner, attachment);
        }
    }

    /** Asks the owner whether an attachment is valid. */
    Status status(int owner, long attachment) throws DXNetException {
        return services.requester()
                .sendSync(new StatusRequest(owner, attachment), timeout)
                .status();
    }

    /** Runs a task on a thread that may wait. */
    void later(Runnable task) {
        services.completions().add(new Later(task));
    }

    private static final class Later extends Completions.Completion {
        private final Runnable task;

        Later(Runnable task) {
            this.task = task;
        }

        @Override
        public void complete() {
            task.run();
        }

        @Override
        public String what() {
            return "what follows a refusal or a revocation of remote memory";
        }
    }

    /** For tests. */
    Services services() {
        return services;
    }

    /** For tests. */
    OwnedRegions owned() {
        return owned;
    }

    long timeoutNs() {
        return timeout.toNanos();
    }

    /** {@return how long an operation of so many bytes may last} */
    long timeNs(long bytes) {
        return timeoutNs() * (1 + (bytes >> BYTES_SHIFT));
    }

    Completions completions() {
        return services.completions();
    }

    IdleStrategies strategies() {
        return services.strategies();
    }

    /**
     * {@return what is to be informed of ends of connections}
     *
     * <p>Where a node was lost, a device may retry for long what is in flight to it: the accesses
     * to its memory end, and a later operation attaches again. A node that ends its connection in
     * order may only have no use for messages.
     */
    public ConnectionListener losses() {
        return new ConnectionListener() {
            @Override
            public void disconnected(int node, Disconnect cause) {
                switch (cause.reason()) {
                    case LOST, STALLED, PROTOCOL_ERROR -> lost(node);
                    case CLOSED, CLOSED_BY_PEER, DISMISSED -> {
                        // its device still answers, or the regions were revoked
                    }
                }
            }
        };
    }

    private void lost(int node) {
        for (AttachedRegion each : attached.values()) {
            if (each.owner() == node) {
                each.ownerLost();
            }
        }
    }

    /** This node is about to close, while it can still inform others. */
    public void closing() {
        owned.announceEnd();
    }

    /** Revokes and detaches all. Before the transport closes. */
    public void close() {
        closed = true;
        for (AttachedRegion each : new ArrayList<>(attached.values())) {
            each.close();
        }
        owned.close();
        OneSidedMemory device = used;
        if (device != null) {
            device.close();
        }
    }
}
