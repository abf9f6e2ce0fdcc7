package io.dxnet.runtime;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.OneSidedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A device whose hardware is this process. */
final class FakeOneSidedMemory implements OneSidedMemory {
    private static final Map<Long, Granted> GRANTS = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong(1);
    private static final AtomicInteger CLOSED_ALONE = new AtomicInteger();

    final AtomicInteger prepared = new AtomicInteger();
    final AtomicInteger posted = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger(); // accesses that are not closed
    volatile Runnable onGrant = () -> {}; // runs at the owner, after it
    volatile Runnable onPrepare = () -> {}; // runs in prepare()
    volatile Runnable onOpen = () -> {}; // runs when an access has what it needs of the owner
    volatile boolean isRefusing; // prepare() fails
    volatile boolean isLosing; // posts fail
    volatile boolean isSilent; // posts are not answered
    volatile boolean endsLate; // close() does not end them: endUnanswered() does
    volatile boolean isClosed;

    /** A grant, as a device would have it in its tables. */
    private record Granted(long key, int node, Exposed memory, Set<Right> rights) implements ExposedMemory.Grant {
        @Override
        public byte[] reply() {
            return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
        }

        @Override
        public void close() {
            if (GRANTS.remove(key) != null) {
                CLOSED_ALONE.incrementAndGet();
            }
        }
    }

    private record Exposed(FakeOneSidedMemory device, MemorySegment segment, NotifyListener listener)
            implements ExposedMemory {
        @Override
        public Grant grant(int node, Set<Right> rights, byte[] request) throws DXNetException {
            if (request.length != 1) {
                throw new DXNetException("malformed");
            }
            Granted granted = new Granted(KEYS.getAndIncrement(), node, this, rights);
            GRANTS.put(granted.key, granted);
            device.onGrant.run();
            return granted;
        }

        @Override
        public void close() {
            GRANTS.values().removeIf(each -> each.memory.segment == segment);
        }
    }

    private final Queue<MemoryOperation> unanswered = new ConcurrentLinkedQueue<>();

    private final class Access implements MemoryAccess {
        private final AtomicBoolean closed = new AtomicBoolean();
        private long key;
        private boolean lost;

        @Override
        public byte[] request() {
            return new byte[1];
        }

        @Override
        public void open(byte[] reply) {
            key = ByteBuffer.wrap(reply).getLong();
            onOpen.run();
        }

        @Override
        public void post(MemoryOperation... operations) {
            for (MemoryOperation each : operations) {
                posted.incrementAndGet();
                lost |= isLosing;
                Granted granted = GRANTS.get(key);
                if (isSilent) {
                    unanswered.add(each);
                } else if (!each.local().scope().isAlive()) {
                    each.failed(Outcome.NOT_DONE, Cause.LOCAL, "its local memory is closed");
                } else if (lost) {
                    each.failed(Outcome.UNKNOWN, Cause.LOST, "lost");
                } else if (granted == null || !granted.rights.contains(right(each))) {
                    each.failed(Outcome.NOT_DONE, Cause.REFUSED, "remote access error");
                } else {
                    each.done(carryOut(each, granted));
                }
            }
        }

        private static long carryOut(MemoryOperation each, Granted granted) {
            MemorySegment memory = granted.memory.segment;
            return switch (each.kind()) {
                case READ -> {
                    MemorySegment.copy(memory, each.offset(), each.local(), 0, each.length());
                    yield 0;
                }
                case WRITE -> {
                    MemorySegment.copy(each.local(), 0, memory, each.offset(), each.length());
                    yield 0;
                }
                case NOTIFY -> {
                    granted.memory.listener.onNotify(granted.node, each.offset(), each.length(), (int) each.value());
                    yield 0;
                }
                case FETCH_ADD ->
                    (long) ValueLayout.JAVA_LONG.varHandle().getAndAdd(memory, each.offset(), each.value());
                case COMPARE_AND_SWAP ->
                    (long) ValueLayout.JAVA_LONG
                            .varHandle()
                            .compareAndExchange(memory, each.offset(), each.expected(), each.value());
            };
        }

        private static Right right(MemoryOperation operation) {
            return switch (operation.kind()) {
                case READ -> Right.READ;
                case WRITE, NOTIFY -> Right.WRITE;
                case FETCH_ADD, COMPARE_AND_SWAP -> Right.ATOMIC;
            };
        }

        @Override
        public void close() {
            key = 0;
            if (closed.compareAndSet(false, true)) {
                open.decrementAndGet();
            }
            if (!endsLate) {
                endUnanswered();
            }
        }
    }

    /** Ends what was posted while the device was silent. */
    void endUnanswered() {
        for (MemoryOperation each = unanswered.poll(); each != null; each = unanswered.poll()) {
            each.failed(Outcome.UNKNOWN, Cause.CLOSED, "closed");
        }
    }

    @Override
    public ExposedMemory expose(MemorySegment segment, NotifyListener listener) {
        return new Exposed(this, segment, listener);
    }

    @Override
    public MemoryAccess prepare(int owner) throws DXNetException {
        prepared.incrementAndGet();
        if (isRefusing) {
            throw new DXNetException("no queue pair");
        }
        onPrepare.run();
        open.incrementAndGet();
        return new Access();
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /** {@return the grants, of all nodes of this process, that were closed before their memory} */
    static int closedAlone() {
        return CLOSED_ALONE.get();
    }

    /** Its grants, of all nodes of this process. */
    static int grants() {
        return GRANTS.size();
    }
}
