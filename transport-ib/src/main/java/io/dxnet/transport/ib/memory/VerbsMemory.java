package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.OneSidedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One-sided access over verbs. Its thread and its resources of the device are made at the first
 * use. Any thread.
 */
public final class VerbsMemory implements OneSidedMemory {
    private final MemoryDevice device;
    private final String threadName;
    private final IdleStrategy strategy;
    private final Set<VerbsExposed> exposed = ConcurrentHashMap.newKeySet();
    private Parts parts; // null: not used yet; under the monitor
    private boolean isClosed; // under the monitor

    /** What all accesses of a node share. */
    private record Parts(MemoryThread thread, ProtectionDomain domain, LocalRegions regions) {}

    /**
     * Makes the access of a node, which uses nothing of the device yet.
     *
     * @param device the node's
     * @param nodeId the node's, for the name of the thread
     * @param strategy how the thread waits for completions, and one that waits for its operations
     */
    public VerbsMemory(MemoryDevice device, int nodeId, IdleStrategy strategy) {
        this.device = device;
        this.threadName = "dxnet-" + nodeId + "-memory";
        this.strategy = strategy;
    }

    private Parts parts() throws DXNetException {
        if (isClosed) {
            throw new DXNetException("the node has closed its one-sided access");
        }
        if (parts == null) {
            ProtectionDomain domain = device.context().allocateProtectionDomain();
            CompletionChannel channel;
            try {
                channel = device.context().createCompletionChannel();
            } catch (VerbsException e) {
                domain.close();
                throw e;
            }
            parts = new Parts(new MemoryThread(threadName, channel, strategy), domain, new LocalRegions(domain));
        }
        return parts;
    }

    @Override
    public synchronized ExposedMemory expose(MemorySegment segment, NotifyListener listener) throws DXNetException {
        try {
            VerbsExposed result = new VerbsExposed(device, parts().thread, segment, listener, exposed::remove);
            exposed.add(result);
            return result;
        } catch (VerbsException e) {
            throw new DXNetException("the memory cannot be exposed: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized MemoryAccess prepare(int owner) throws DXNetException {
        try {
            Parts all = parts();
            VerbsAccess access = new VerbsAccess(device, all.domain, all.regions, all.thread, owner, strategy);
            all.thread.add(access);
            return access;
        } catch (VerbsException e) {
            throw new DXNetException("no access to memory of node " + owner + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        Parts all;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            all = parts;
        }
        if (all != null) {
            exposed.forEach(VerbsExposed::close);
            all.thread.close();
            all.regions.close();
            all.domain.close();
            all.thread.channel().close();
        }
    }
}
