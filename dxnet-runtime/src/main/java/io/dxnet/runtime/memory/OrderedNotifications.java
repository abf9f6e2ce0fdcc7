package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.memory.OneSidedMemory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Notifications that a device brought on their way to the listener: in order, and not on the
 * transport's thread, which must not wait. Any thread.
 */
final class OrderedNotifications extends Completions.Completion implements OneSidedMemory.NotifyListener {
    static final int WAITING_MAX = 1 << 16;

    private record Notification(int from, long offset, long length, int value) {}

    private final OwnedRegion region;
    private final Services services;
    private final Queue<Notification> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger(); // those that wait, and the one that is delivered

    OrderedNotifications(OwnedRegion region, Services services) {
        this.region = region;
        this.services = services;
    }

    @Override
    public void onNotify(int from, long offset, long length, int value) {
        if (count.get() >= WAITING_MAX) {
            services.errors()
                    .error(
                            "a notification of node " + from + " for region " + region.name() + " was dropped",
                            new DXNetException(WAITING_MAX + " wait for its listener"));
            return;
        }
        waiting.add(new Notification(from, offset, length, value));
        if (count.getAndIncrement() == 0) {
            services.completions().add(this);
        }
    }

    @Override
    public void complete() {
        do {
            Notification next = waiting.poll();
            if (next != null) {
                deliver(next);
            }
        } while (count.decrementAndGet() > 0);
    }

    private void deliver(Notification next) {
        try {
            region.notified(next.from, next.offset, next.length, next.value);
        } catch (RuntimeException | Error e) {
            services.errors().error("the listener of region " + region.name() + " failed", e);
        }
    }

    @Override
    public String what() {
        return "a notification of region " + region.name();
    }
}
