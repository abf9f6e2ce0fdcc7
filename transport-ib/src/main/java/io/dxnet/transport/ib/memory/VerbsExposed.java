package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.AtomicCapability;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.OneSidedMemory.NotifyListener;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A segment of this node: one protection domain, in which the segment is registered for all that
 * any node may do; the queue pairs of the grants allow less.
 */
final class VerbsExposed implements ExposedMemory {
    private final MemoryDevice device;
    private final MemoryThread thread;
    private final NotifyListener listener;
    private final Consumer<VerbsExposed> closed;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final List<VerbsGrant> grants = new ArrayList<>(); // under the monitor
    private boolean isClosed; // under the monitor

    VerbsExposed(
            MemoryDevice device,
            MemoryThread thread,
            MemorySegment segment,
            NotifyListener listener,
            Consumer<VerbsExposed> closed) {
        this.device = device;
        this.thread = thread;
        this.listener = listener;
        this.closed = closed;
        this.domain = device.context().allocateProtectionDomain();
        try {
            this.region = domain.register(segment, access());
        } catch (RuntimeException e) {
            domain.close();
            throw e;
        }
    }

    private Access[] access() {
        EnumSet<Access> access = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        if (device.context().attributes().atomics() != AtomicCapability.NONE) {
            access.add(Access.REMOTE_ATOMIC);
        }
        return access.toArray(Access[]::new);
    }

    @Override
    public synchronized Grant grant(int node, Set<Right> rights, byte[] request) throws DXNetException {
        AccessRequest peer = AccessRequest.decode(request);
        if (isClosed) {
            throw new DXNetException("the memory is not exposed any more");
        }
        try {
            VerbsGrant grant = new VerbsGrant(device, domain, thread, region, listener, node, rights, peer);
            grants.removeIf(VerbsGrant::isClosed);
            grants.add(grant);
            thread.add(grant);
            return grant;
        } catch (VerbsException e) {
            throw new DXNetException("no access for node " + node + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            // Queue pairs first: what they receive from here on touches nothing.
            grants.forEach(VerbsGrant::close);
            grants.clear();
            region.close();
            domain.close();
        }
        closed.accept(this);
    }
}
