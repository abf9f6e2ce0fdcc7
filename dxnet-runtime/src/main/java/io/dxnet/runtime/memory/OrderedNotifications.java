package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.memory.OneSidedMemory;
import java.util.Arrays;

/**
 * Notifications that a device brought on their way to the listener: in order, and not on the
 * transport's thread, which must not wait. Any thread.
 */
final class OrderedNotifications extends Completions.Completion implements OneSidedMemory.NotifyListener {
    static final int WAITING_MAX = 1 << 16; // a power of two, as the places

    private static final int PLACES_MIN = 16;
    private static final int KEPT_MAX = 1 << 10; // places, where none waits
    private static final int WORDS = 3; // of one: node and value, offset, length

    private final OwnedRegion region;
    private final Services services;
    private long[] waiting = new long[PLACES_MIN * WORDS]; // under the monitor, as the next
    private int first; // the place of the first one
    private int count; // those that wait
    private boolean isDelivering; // or handed over to a completer

    // The first one, copied: the thread that delivers.
    private long source;
    private long offset;
    private long length;

    OrderedNotifications(OwnedRegion region, Services services) {
        this.region = region;
        this.services = services;
    }

    @Override
    public void onNotify(int from, long at, long bytes, int value) {
        boolean isRefused;
        boolean isFirst;
        synchronized (this) {
            isRefused = count == WAITING_MAX;
            if (!isRefused) {
                add((long) from << Integer.SIZE | Integer.toUnsignedLong(value), at, bytes);
            }
            isFirst = !isRefused && !isDelivering;
            isDelivering |= isFirst;
        }
        if (isRefused) {
            services.errors()
                    .error(
                            "a notification of node " + from + " for region " + region.name() + " was dropped",
                            new DXNetException(WAITING_MAX + " wait for its listener"));
        } else if (isFirst) {
            services.completions().add(this);
        }
    }

    private void add(long fromAndValue, long at, long bytes) {
        int places = waiting.length / WORDS;
        if (count == places) {
            long[] larger = Arrays.copyOf(waiting, 2 * waiting.length);
            // Those ahead of the first one were added after those behind it.
            System.arraycopy(waiting, 0, larger, waiting.length, first * WORDS);
            waiting = larger;
            places *= 2;
        }
        int place = (first + count & places - 1) * WORDS;
        waiting[place] = fromAndValue;
        waiting[place + 1] = at;
        waiting[place + 2] = bytes;
        count++;
    }

    /**
     * {@return whether there is one, which is copied and removed} If not, the next one that comes
     * is handed over.
     */
    private synchronized boolean next() {
        isDelivering = count > 0;
        if (!isDelivering) {
            if (waiting.length > KEPT_MAX * WORDS) { // after a burst
                first = 0;
                waiting = new long[PLACES_MIN * WORDS];
            }
            return false;
        }
        int place = first * WORDS;
        source = waiting[place];
        offset = waiting[place + 1];
        length = waiting[place + 2];
        first = first + 1 & waiting.length / WORDS - 1;
        count--;
        return true;
    }

    @Override
    public void complete() {
        while (next()) {
            deliver();
        }
    }

    private void deliver() {
        try {
            region.notified((int) (source >>> Integer.SIZE), offset, length, (int) source);
        } catch (RuntimeException | Error e) {
            services.errors().error("the listener of region " + region.name() + " failed", e);
        }
    }

    /** Else those that wait would wait for ever. */
    @Override
    public boolean mayRepeat() {
        return true;
    }

    @Override
    public String what() {
        return "a notification of region " + region.name();
    }
}
