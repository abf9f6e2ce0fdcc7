package io.dxnet.transport.idle;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A parking place without a system. Work is a number that grows; it ends no park by itself. */
class FakePlace implements ParkingPlace {
    static final long NS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    final AtomicInteger posted = new AtomicInteger();
    volatile int done;
    final AtomicInteger parks = new AtomicInteger();
    final AtomicInteger unparks = new AtomicInteger();
    private final Semaphore permits = new Semaphore(0);

    ThreadSignal signal() {
        return new ThreadSignal(this::hasWork, this, NS_MIN);
    }

    boolean hasWork() {
        return posted.get() != done;
    }

    @Override
    public boolean mayPark() {
        return !hasWork();
    }

    @Override
    public void park(long timeoutNs) {
        parks.incrementAndGet();
        try {
            if (permits.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                permits.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void unpark() {
        unparks.incrementAndGet();
        permits.release();
    }
}
