package io.dxnet.tools.example.log;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.Consumer;

/**
 * A follower of a replicated log: shares a ring into which the {@link LogWriter} writes, and passes
 * each entry on, whole, once and in order. A notification wakes its thread, which reads the ring.
 */
final class LogFollower implements AutoCloseable {
    private static final long WAIT_MS = 1000;
    private static final Duration END = Duration.ofSeconds(10);

    private final LogShape shape;
    private final long term;
    private final Consumer<LogEntry> consumer;
    private final SharedRegion ring;
    private final SharedRegion position;
    private final VersionedRegion record;
    private final Thread thread;
    private long next; // its own thread
    private long notified; // entries before it are in the ring; under the monitor, as the next two
    private boolean closed;
    private Exception failure;

    /**
     * Shares the memory.
     *
     * @param net this node, which stays open until the follower is closed
     * @param writer the writer's node
     * @param term the writer's number
     * @param shape the layout, as at the writer
     * @param next the first entry that it needs: 0, or where its application has the earlier ones
     * @param consumer gets each entry, in the follower's thread; where it fails, the follower ends
     * @throws IllegalStateException when there is a follower on this node already
     * @throws DXNetException when the device refuses to register the memory
     */
    LogFollower(DXNet net, int writer, long term, LogShape shape, long next, Consumer<LogEntry> consumer)
            throws DXNetException {
        this.shape = shape;
        this.term = term;
        this.next = next;
        this.notified = next;
        this.consumer = consumer;
        Arena arena = Arena.ofAuto(); // freed when nothing refers to the regions any more
        RemoteMemory memory = net.remoteMemory();
        MemorySegment slots = memory.allocate(arena, shape.bytes());
        MemorySegment positions = memory.allocate(arena, LogPosition.REGION_BYTES);
        ring = memory.share(LogShape.RING, slots, EnumSet.of(Right.WRITE), Peers.of(writer));
        ring.onNotify((from, offset, length, value) -> notified(value));
        // The writer attaches to the ring first, and reads no position before there is one.
        position = memory.share(LogShape.POSITION, positions, EnumSet.of(Right.READ), Peers.of(writer));
        record = position.versioned(LogPosition.BYTES);
        new LogPosition(term, next).write(record);
        thread = Thread.ofPlatform().name("log-consumer").daemon().start(this::run);
    }

    /** Entries up to one are there, of whose number these are the lower 32 bits. */
    private synchronized void notified(int value) {
        long end = notified + (value + 1 - (int) notified);
        if (end > notified) {
            notified = end;
            notifyAll();
        }
    }

    private void run() {
        try {
            while (awaitEntry()) {
                LogEntry entry = LogEntry.decode(ring.segment().asSlice(shape.offset(next), shape.slotBytes()));
                if (entry.term() != term || entry.sequence() != next) {
                    throw new IllegalStateException("entry " + entry.sequence() + " of term " + entry.term()
                            + " in the place of entry " + next + " of term " + term);
                }
                consumer.accept(entry);
                next++;
                new LogPosition(term, next).write(record);
            }
        } catch (DXNetException | RuntimeException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // ends
        }
    }

    /** {@return false when the follower is closed} */
    private synchronized boolean awaitEntry() throws InterruptedException {
        while (!closed && notified <= next) {
            wait(WAIT_MS);
        }
        return !closed;
    }

    /** Ends the writer's access: it reports this follower as lost. */
    private void failed(Exception cause) {
        synchronized (this) {
            failure = cause;
        }
        ring.close();
        position.close();
    }

    /** {@return why it consumes no more entries; null: it does} */
    synchronized Exception failure() {
        return failure;
    }

    /**
     * Revokes the writer's access, and waits until the consumer has returned. Not in the consumer.
     *
     * @throws IllegalStateException when the consumer has not returned in ten seconds
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        ring.close();
        position.close();
        try {
            if (!thread.join(END)) {
                throw new IllegalStateException("the consumer of the log has not returned in 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends by itself
        }
    }
}
