package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.cli.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Threads that begin together. A failure stops all; the first
 * that is no mere consequence of another is thrown.
 */
final class Team {
    private static final int END_SECONDS = 60;

    /** What one thread does; should end when asked to stop. */
    interface Member {
        void run(AtomicBoolean stop) throws InterruptedException;
    }

    private Team() {}

    /**
     * Runs all members.
     *
     * @param members a thread each
     * @param runNs after this time they are asked to stop; 0: they end by themselves
     * @return nanoseconds from the beginning to the last one's end
     */
    static long run(List<? extends Member> members, long runNs) {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch ready = new CountDownLatch(members.size());
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(members.size());
        List<Thread> threads = new ArrayList<>();
        for (Member member : members) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("endpoint-" + threads.size())
                    .start(() -> {
                        try {
                            ready.countDown();
                            go.await();
                            member.run(stop);
                        } catch (Throwable e) {
                            failure.accumulateAndGet(e, Team::cause);
                            stop.set(true);
                        } finally {
                            ended.countDown();
                        }
                    }));
        }
        long begin;
        long end;
        try {
            await(ready, END_SECONDS * 1_000_000_000L);
            begin = System.nanoTime();
            go.countDown();
            if (runNs > 0) {
                ended.await(runNs, TimeUnit.NANOSECONDS);
                stop.set(true);
            }
            await(ended, END_SECONDS * 1_000_000_000L);
            end = System.nanoTime();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        } finally {
            stop.set(true);
            go.countDown();
            threads.forEach(Team::interruptAlive);
        }
        if (failure.get() != null) {
            throw failure.get() instanceof RuntimeException e
                    ? e
                    : new ToolException("a thread failed: " + failure.get(), failure.get());
        }
        return end - begin;
    }

    /**
     * Chooses the failure to report: the earlier one, unless it is a
     * flush, which is the consequence of another failure.
     */
    private static Throwable cause(Throwable earlier, Throwable later) {
        boolean consequence = earlier instanceof CompletionFailedException e && e.isFlushed();
        return earlier == null || consequence ? later : earlier;
    }

    private static void await(CountDownLatch latch, long timeoutNs) throws InterruptedException {
        if (!latch.await(timeoutNs, TimeUnit.NANOSECONDS)) {
            throw new ToolException("threads did not end in " + END_SECONDS + " s");
        }
    }

    private static void interruptAlive(Thread thread) {
        if (thread.isAlive()) {
            thread.interrupt();
        }
    }
}
