package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.idle.IdleWait;
import io.dxnet.transport.idle.ParkingPlace;
import io.dxnet.transport.idle.ThreadSignal;
import io.dxnet.transport.shared.SafeLog;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that processes completions of all accesses of a node, and calls back; threads that
 * post operations, or wait for them, process some themselves. Between
 * completions it waits as the agents of the transport do: it spins, yields, then parks in the
 * completion channel.
 */
final class MemoryThread implements ParkingPlace {
    private static final System.Logger LOG = System.getLogger(MemoryThread.class.getName());

    /** Deadlines are noticed late by no more than this while there are completions. */
    private static final long SCAN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long PARK_NS_MAX = TimeUnit.SECONDS.toNanos(1);

    /** A channel waits for whole milliseconds. */
    private static final long CHANNEL_NS_MIN = TimeUnit.MICROSECONDS.toNanos(900);

    private final CompletionChannel channel;
    private final ThreadSignal signal = new ThreadSignal(this::poll, this, CHANNEL_NS_MIN);
    private final IdleWait wait;
    private final Thread thread;
    private volatile List<Polled> all = List.of(); // replaced as a whole, under the monitor
    private volatile boolean ended;

    /** Until when the thread waits without a signal; in the past while it runs. */
    private volatile long wakeNs = System.nanoTime();

    MemoryThread(String name, CompletionChannel channel, IdleStrategy strategy) {
        this.channel = channel;
        this.wait = new IdleWait(strategy, this::poll, signal);
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    CompletionChannel channel() {
        return channel;
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** {@return whether it may copy to and from the memory} */
    boolean mayAccess(MemorySegment memory) {
        return memory.isAccessibleBy(thread);
    }

    /** Polls it from now on. Any thread. */
    synchronized void add(Polled polled) {
        List<Polled> more = new ArrayList<>(all);
        more.add(polled);
        all = List.copyOf(more);
        signal.wakeup(); // so that it is armed
    }

    /** Any thread. */
    synchronized void remove(Polled polled) {
        all = all.stream().filter(other -> other != polled).toList();
    }

    /** It has to poll, where that is needed. Any thread. */
    void raiseIf(boolean isNeeded) {
        if (isNeeded) {
            signal.raise();
        }
    }

    /** An operation with this deadline was posted. Any thread. */
    void watch(long deadlineNs) {
        if (deadlineNs - wakeNs < 0) {
            signal.wakeup();
        }
    }

    private void run() {
        long scannedNs = System.nanoTime() - SCAN_NS;
        long dueNs = scannedNs; // of the next scan
        while (!ended) {
            try {
                poll();
                long nowNs = System.nanoTime();
                long untilNs = nowNs + SCAN_NS;
                if (nowNs - scannedNs >= SCAN_NS || nowNs - dueNs >= 0) {
                    scannedNs = nowNs;
                    // Before the scan: what is posted from here on wakes the thread.
                    wakeNs = nowNs + PARK_NS_MAX;
                    untilNs = expire(nowNs, nowNs + PARK_NS_MAX);
                    dueNs = untilNs;
                }
                wakeNs = untilNs;
                wait.await(untilNs - nowNs);
                wakeNs = System.nanoTime();
            } catch (VerbsException | IllegalStateException e) {
                if (!ended) {
                    failed(e);
                }
            } catch (Throwable e) { // of a dependent of a future, perhaps: other accesses need the thread
                SafeLog.error(LOG, "processing completions of one-sided access failed", e);
                LockSupport.parkNanos(this, SCAN_NS); // the next may fail too
            }
        }
    }

    /** The channel is gone, and with it the device. */
    private void failed(RuntimeException e) {
        ended = true;
        all.forEach(Polled::close);
        LOG.log(Level.WARNING, "the completion channel of one-sided access failed", e);
    }

    private long expire(long nowNs, long limitNs) {
        long next = limitNs;
        for (Polled each : all) {
            next = each.expire(nowNs, next);
        }
        return next;
    }

    private boolean poll() {
        boolean work = false;
        List<Polled> polled = all;
        for (int i = 0; i < polled.size(); i++) { // without an iterator's garbage
            work |= polled.get(i).poll();
        }
        if (work) {
            wait.worked();
        }
        return work || ended;
    }

    @Override
    public boolean mayPark() {
        List<Polled> polled = all;
        for (int i = 0; i < polled.size(); i++) {
            polled.get(i).arm();
        }
        return !poll();
    }

    @Override
    public void park(long timeoutNs) {
        CompletionQueue queue =
                channel.await(Math.clamp(TimeUnit.NANOSECONDS.toMillis(timeoutNs), 1, Integer.MAX_VALUE));
        if (queue != null) {
            List<Polled> polled = all;
            for (int i = 0; i < polled.size(); i++) {
                if (polled.get(i).queue() == queue) {
                    polled.get(i).fired();
                }
            }
        }
    }

    @Override
    public void unpark() {
        channel.wakeUp();
    }

    /** Ends all accesses, then the thread. Any thread, also this one. */
    void close() {
        all.forEach(Polled::close);
        ended = true;
        signal.wakeup();
        if (!isCurrent() && Channels.awaitEnd(thread)) {
            Thread.currentThread().interrupt();
        }
    }
}
