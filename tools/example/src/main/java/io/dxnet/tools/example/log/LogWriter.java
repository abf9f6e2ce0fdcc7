package io.dxnet.tools.example.log;

import io.dxnet.DXNet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The writer of a replicated log. It writes each entry into the memory of all {@link LogFollower
 * followers}; an entry is committed when a majority of these writes is complete. A follower that
 * is lost is reported, the log continues without it; when it is back, the writer attaches to it
 * and writes what it needs. Any thread.
 *
 * <p>It shows what one-sided writes are for, and is not a consensus protocol:
 *
 * <ul>
 *   <li>there is one writer. No leader is elected, nothing continues the log when the writer is
 *       lost, and a second writer of the same term is not kept out;
 *   <li>the log is in memory alone. An entry is lost with the majority that had it, and a follower
 *       that restarts gets it from the writer, which keeps a limited number of entries; there is no
 *       snapshot for a follower that needs older ones, because it is new or slower than the others;
 *   <li>a follower consumes an entry when it has it, committed or not. An entry that is not
 *       committed in time stays in the log and may be committed later.
 * </ul>
 */
final class LogWriter implements AutoCloseable {
    private static final long END_MS = TimeUnit.SECONDS.toMillis(10);

    private final WriterLog log;
    private final LogShape shape;
    private final long term;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Starts to attach to the followers, each in a thread of its own.
     *
     * @param net this node, which stays open until the writer is closed
     * @param followers their nodes: a majority is more than half of them
     * @param term a number for this writer, which its followers expect
     * @param shape the layout, as at the followers
     * @param keptMax entries that the writer keeps for followers that are behind, the shape's slots
     *     or more
     * @param listener learns which followers are lost
     */
    LogWriter(DXNet net, List<Integer> followers, long term, LogShape shape, int keptMax, LogListener listener) {
        this.shape = shape;
        this.term = term;
        log = new WriterLog(followers.size(), shape.slots(), keptMax);
        for (int i = 0; i < followers.size(); i++) {
            int node = followers.get(i);
            FollowerLink link = new FollowerLink(net.remoteMemory(), log, shape, term, node, i, listener);
            threads.add(
                    Thread.ofPlatform().name("log-follower-" + node).daemon().start(link));
        }
    }

    /**
     * Appends an entry and waits until it is committed.
     *
     * @param content at most {@link LogShape#contentMax} bytes
     * @param timeout of both
     * @return the number of the entry
     * @throws LogException when a majority has no room, or has not got it in time
     * @throws InterruptedException when the thread is interrupted: the entry may be in the log
     */
    long append(byte[] content, Duration timeout) throws LogException, InterruptedException {
        if (content.length > shape.contentMax()) {
            throw new IllegalArgumentException(
                    "an entry of " + content.length + " bytes, at most " + shape.contentMax());
        }
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        long sequence = log.append(term, content, deadlineNs);
        log.awaitCommitted(sequence, deadlineNs);
        return sequence;
    }

    /** {@return the number of entries that are committed} */
    long committed() {
        return log.committed();
    }

    /** Ends the threads; waits for them for up to ten seconds. */
    @Override
    public void close() {
        log.close();
        long deadlineMs = System.nanoTime() / 1_000_000 + END_MS;
        try {
            for (Thread each : threads) {
                each.join(Duration.ofMillis(Math.max(1, deadlineMs - System.nanoTime() / 1_000_000)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // they end by themselves
        }
    }
}
