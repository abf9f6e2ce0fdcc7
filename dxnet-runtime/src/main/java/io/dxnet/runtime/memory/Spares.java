package io.dxnet.runtime.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects that threads use again, at most 16. A thread begins at a place of its own, where it
 * mostly finds what it released. Any thread.
 */
final class Spares<T> {
    private static final int PLACES = 16; // a power of two
    private static final int STRIDE = 16; // references: two places are on two cache lines

    private final Supplier<T> maker;
    private final AtomicReferenceArray<@Nullable T> free = new AtomicReferenceArray<>(PLACES * STRIDE);

    /**
     * None yet.
     *
     * @param maker of one, where there is none to be used again
     */
    Spares(Supplier<T> maker) {
        this.maker = maker;
    }

    private static int place(int step) {
        return (int) (Thread.currentThread().threadId() + step & (PLACES - 1)) * STRIDE;
    }

    /** {@return one that no other thread uses} */
    T acquire() {
        for (int i = 0; i < PLACES; i++) {
            int place = place(i);
            T found = free.get(place);
            if (found != null && free.compareAndSet(place, found, null)) {
                return found;
            }
        }
        return maker.get();
    }

    /**
     * No thread uses it any more. Where two threads release to one place at once, one object is
     * garbage.
     */
    void release(T object) {
        for (int i = 0; i < PLACES; i++) {
            int place = place(i);
            if (free.getPlain(place) == null) {
                free.setRelease(place, object);
                return;
            }
        }
    }
}
