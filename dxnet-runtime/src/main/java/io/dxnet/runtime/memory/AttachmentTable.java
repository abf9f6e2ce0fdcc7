package io.dxnet.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Attachments by their numbers. They are few, and random: the lowest bits are their hash. Any
 * thread finds one, without a lock or garbage, and removes one, which needs no memory: it keeps its
 * place until the next one is added, which makes the table anew.
 */
final class AttachmentTable {
    private static final int PLACES_MIN = 16; // a power of two, as the places of a larger one

    private volatile @Nullable Attachment[] places = new Attachment[PLACES_MIN]; // half of them free
    private final AtomicInteger size = new AtomicInteger();

    /** {@return the one of that number; null: there is none} */
    @Nullable
    Attachment find(long id) {
        @Nullable Attachment[] all = places;
        Attachment found = all[place(all, id)];
        return found == null || found.isRemoved() ? null : found;
    }

    /** {@return where the one of that number is, or would be} */
    private static int place(@Nullable Attachment[] all, long id) {
        int place = (int) id & all.length - 1;
        for (Attachment each = all[place]; each != null && each.id != id; each = all[place]) {
            place = place + 1 & all.length - 1;
        }
        return place;
    }

    int size() {
        return size.get();
    }

    /** {@return those that are there now} */
    List<Attachment> all() {
        List<Attachment> found = new ArrayList<>();
        for (Attachment each : places) {
            if (each != null && !each.isRemoved()) {
                found.add(each);
            }
        }
        return found;
    }

    /** Adds one, whose number no other one has. */
    synchronized void put(Attachment added) {
        List<Attachment> present = all();
        present.add(added);
        int length = Math.max(PLACES_MIN, Integer.highestOneBit(present.size()) << 2);
        @Nullable Attachment[] next = new Attachment[length];
        for (Attachment each : present) {
            next[place(next, each.id)] = each;
        }
        places = next;
        size.incrementAndGet();
    }

    /** {@return the one that the calling thread has removed; null: there is none of that number} */
    @Nullable
    Attachment remove(long id) {
        Attachment found = find(id);
        if (found == null || !found.remove()) {
            return null;
        }
        size.decrementAndGet();
        return found;
    }
}
