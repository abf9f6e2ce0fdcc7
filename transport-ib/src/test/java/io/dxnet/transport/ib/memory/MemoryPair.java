package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.Right;
import io.dxnet.transport.ib.MemoryDevices;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.OneSidedMemory.NotifyListener;
import java.lang.foreign.MemorySegment;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/** Two nodes: 0 owns memory, 1 accesses it. Each has its own device, or context of the same. */
final class MemoryPair implements AutoCloseable {
    static final int OWNER = 0;
    static final int OTHER = 1;
    static final int ACK_TIMEOUT = 17;
    static final Set<Right> ALL = EnumSet.allOf(Right.class);
    static final NotifyListener NONE = (from, offset, length, value) -> {};

    private final MemoryDevice owners;
    private final MemoryDevice others;
    final VerbsMemory owner;
    final VerbsMemory other;

    MemoryPair() throws UnknownHostException {
        this(ACK_TIMEOUT);
    }

    MemoryPair(int ackTimeout) throws UnknownHostException {
        this(ackTimeout, IdleStrategy.PARK_AT_ONCE);
    }

    MemoryPair(int ackTimeout, IdleStrategy strategy) throws UnknownHostException {
        owners = MemoryDevices.open(OWNER, ackTimeout);
        others = MemoryDevices.open(OTHER, ackTimeout);
        owner = new VerbsMemory(owners, OWNER, strategy);
        other = new VerbsMemory(others, OTHER, strategy);
    }

    /** Access to the memory, open. */
    MemoryAccess access(ExposedMemory memory, Set<Right> rights) throws DXNetException {
        MemoryAccess access = other.prepare(OWNER);
        access.open(memory.grant(OTHER, rights, access.request()).reply());
        return access;
    }

    static void fill(MemorySegment segment, long seed) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        new Random(seed).nextBytes(bytes);
        segment.copyFrom(MemorySegment.ofArray(bytes));
    }

    @Override
    public void close() {
        try {
            other.close();
            owner.close();
        } finally {
            others.context().close();
            owners.context().close();
        }
    }
}
