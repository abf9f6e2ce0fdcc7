package io.dxnet.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attachments by their numbers. They are few, and random: the lowest bits are their hash. Any
 * thread finds one, without a lock or garbage; one that changes the table makes it anew.
 */
final class AttachmentTable {
    private static final int PLACES_MIN = 16; // a power of two, as the places of a larger one

    private volatile @Nullable Attachment[] places = new Attachment[PLACES_MIN]; // half of them free
    private volatile int size;

    /** {@return the one of that number; null: there is none} */
    @Nullable
    Attachment find(long id) {
        @Nullable Attachment[] all = places;
        return all[place(all, id)];
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
        return size;
    }

    /** {@return those that are there now} */
    List<Attachment> all() {
        List<Attachment> found = new ArrayList<>();
        for (Attachment each : places) {
            if (each != null) {
                found.add(each);
            }
        }
        return found;
    }

    /** Adds one, in the place of another of its number. */
    synchronized void put(Attachment added) {
        List<Attachment> next = all();
        next.removeIf(each -> each.id == added.id);
        next.add(added);
        replace(next);
    }

    /** {@return the one that was removed; null: there was none of that number} */
    @Nullable
    synchronized Attachment remove(long id) {
        Attachment removed = find(id);
        if (removed != null) {
            List<Attachment> next = all();
            next.remove(removed);
            replace(next);
        }
        return removed;
    }

    private void replace(List<Attachment> attachments) {
        int length = Math.max(PLACES_MIN, Integer.highestOneBit(attachments.size()) << 2);
        @Nullable Attachment[] next = new Attachment[length];
        for (Attachment each : attachments) {
            next[place(next, each.id)] = each;
        }
        places = next;
        size = attachments.size();
    }
}
