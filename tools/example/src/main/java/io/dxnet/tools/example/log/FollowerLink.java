package io.dxnet.tools.example.log;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Writes the log into one follower's memory: attaches, continues where the follower is, and
 * attaches again when it was lost. Its own thread.
 */
final class FollowerLink implements Runnable {
    private static final int BATCH_MAX = 32;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long FULL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A change to one of the last three is reported. */
    private enum State {
        NEW,
        ATTACHED,
        /** Not reached, or it has refused. */
        LOST,
        /** Its log does not continue the writer's. */
        UNFIT
    }

    private final RemoteMemory memory;
    private final WriterLog log;
    private final LogShape shape;
    private final long term;
    private final int node;
    private final int follower; // its number in the log
    private final LogListener listener;
    private State state = State.NEW;

    FollowerLink(
            RemoteMemory memory,
            WriterLog log,
            LogShape shape,
            long term,
            int node,
            int follower,
            LogListener listener) {
        this.memory = memory;
        this.log = log;
        this.shape = shape;
        this.term = term;
        this.node = node;
        this.follower = follower;
        this.listener = listener;
    }

    @Override
    public void run() {
        try {
            do {
                try {
                    replicate();
                } catch (DXNetException e) {
                    lost(State.LOST, e);
                } catch (IllegalStateException e) {
                    lost(State.UNFIT, e);
                }
            } while (log.pause(RETRY_NS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // ends
        }
    }

    private void lost(State next, Exception cause) {
        log.lost(follower);
        if (state != next && !log.isClosed()) {
            state = next;
            listener.lost(node, cause);
        }
    }

    /** Until the follower is lost or the log is closed. */
    private void replicate() throws DXNetException, InterruptedException {
        // The ring first: where the follower restarts in between, the writes to it fail.
        try (RemoteRegion ring = memory.attach(node, LogShape.RING);
                RemoteRegion position = memory.attach(node, LogShape.POSITION)) {
            VersionedRegion record = position.versioned(LogPosition.BYTES);
            long consumed = consumed(record);
            long next = consumed;
            check(ring, next);
            state = State.ATTACHED;
            listener.attached(node, next);
            log.stored(follower, next);
            while (!log.isClosed()) {
                int room = (int) (consumed + shape.slots() - next);
                List<byte[]> entries =
                        room == 0 ? List.of() : log.awaitEntries(next, Math.min(room, BATCH_MAX), IDLE_NS);
                if (entries.isEmpty()) { // also shows whether the follower is still there
                    consumed = consumed(record);
                    if (consumed + shape.slots() == next || log.isRoomWanted()) {
                        log.pause(FULL_NS);
                    }
                } else {
                    write(ring, next, entries);
                    next += entries.size();
                    log.stored(follower, next);
                }
            }
        }
    }

    private void check(RemoteRegion ring, long next) {
        if (ring.length() != shape.bytes()) {
            throw new IllegalStateException(
                    "its log has " + ring.length() + " bytes, that of the writer " + shape.bytes());
        }
        log.checkKept(next);
    }

    private long consumed(VersionedRegion record) throws DXNetException {
        LogPosition position = LogPosition.read(record);
        if (position.term() != term) {
            throw new IllegalStateException("it follows term " + position.term() + ", this is term " + term);
        }
        log.consumed(follower, position.next());
        return position.next();
    }

    /** One notification for all: the last one's bytes are there after those of the others. */
    private void write(RemoteRegion ring, long first, List<byte[]> entries) throws DXNetException {
        int last = entries.size() - 1;
        Batch batch = ring.batch();
        for (int i = 0; i < last; i++) {
            batch.write(shape.offset(first + i), MemorySegment.ofArray(entries.get(i)));
        }
        MemorySegment lastEntry = MemorySegment.ofArray(entries.get(last));
        batch.writeAndNotify(shape.offset(first + last), lastEntry, (int) (first + last))
                .execute();
    }
}
