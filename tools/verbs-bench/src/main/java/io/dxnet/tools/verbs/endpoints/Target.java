package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.tools.verbs.Port;

/**
 * The other side of one-sided operations: memory, and a queue pair for each of theirs; no thread.
 */
final class Target implements AutoCloseable {
    private final Context context;
    private final MemoryRegion memory;

    /**
     * Connects with endpoints.
     *
     * @param port of the other device
     * @param endpoints with one queue pair per thread
     * @param bytes of memory
     */
    Target(Port port, Endpoints endpoints, long bytes) {
        context = port.open();
        try {
            GidEntry gid = port.gid(context);
            ProtectionDomain domain = context.allocateProtectionDomain();
            CompletionQueue queue = context.createCompletionQueue(Math.max(16, 2 * endpoints.threads()));
            memory = domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
            for (int i = 0; i < endpoints.distinctLanes(); i++) {
                QueuePair pair = domain.createQueuePair(
                        QueuePair.options(QpType.RC, queue, queue).send(1, 1).receive(1, 1));
                Port.connect(endpoints.lane(i).pair(0), endpoints.gid(i), pair, gid);
            }
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    MemoryRegion memory() {
        return memory;
    }

    @Override
    public void close() {
        context.close();
    }
}
