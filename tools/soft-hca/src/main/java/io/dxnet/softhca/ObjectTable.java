package io.dxnet.softhca;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * All objects of one kind and their structures: a range of native memory in slots of a power of
 * two, and an array beside it. An address becomes an object with a subtraction, a shift and a load,
 * and an address that is not that of a live object becomes null without being touched. Slots are
 * reused late (first in, first out), so that a stale pointer meets an empty slot.
 *
 * <p>The memory is reserved once, costs nothing until it is touched, and stays until the JVM ends.
 */
final class ObjectTable<T extends SoftObject> {
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(SoftObject[].class);

    /** So many slots rest before the first is used again. */
    private static final int RESTING = 256;

    private final int shift;
    private final int structOffset;
    private final long base;

    /** Written under the control lock, read by every thread. */
    private final SoftObject[] objects;

    /** Free slots in the order in which they became free; guarded by the control lock. */
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /** The first slot never used. */
    private int fresh = 1;

    private int live;

    /**
     * @param capacity slots; slot 0 stays empty
     * @param slotBytes a power of two, at least the structure's size
     * @param structOffset where in its slot the structure
     *     begins that the C side gets the address of
     */
    ObjectTable(int capacity, int slotBytes, int structOffset) {
        this.shift = Integer.numberOfTrailingZeros(slotBytes);
        this.structOffset = structOffset;
        this.objects = new SoftObject[capacity];
        this.base = LibC.calloc((long) capacity << shift) + structOffset;
    }

    /**
     * Places the object in a free slot and fills its structure;
     * fails with {@code ENOMEM} when all slots are in use.
     */
    T add(T object) {
        int index;
        if (free.size() > RESTING || (fresh == objects.length && !free.isEmpty())) {
            index = free.poll();
        } else if (fresh < objects.length) {
            index = fresh++;
        } else {
            throw new VerbError(Ibv.ENOMEM);
        }
        long address = base + ((long) index << shift);
        Memory.clear(address - structOffset, 1L << shift);
        object.place(address, index);
        object.writeStruct();
        live++;
        ELEMENTS.setRelease(objects, index, object);
        return object;
    }

    /** Puts another object in the place of {@code before}, with the same structure. */
    void replace(T before, T after) {
        after.place(before.address(), before.handle());
        after.writeStruct();
        before.markGone();
        ELEMENTS.setRelease(objects, after.handle(), after);
    }

    void remove(T object) {
        object.markGone();
        ELEMENTS.setRelease(objects, object.handle(), (SoftObject) null);
        free.add(object.handle());
        live--;
    }

    /** The live object whose structure is at {@code address}, or null. Any thread. */
    @SuppressWarnings("unchecked")
    T at(long address) {
        long distance = address - base;
        long index = distance >> shift;
        if (index < 0 || index >= objects.length || index << shift != distance) {
            return null;
        }
        return (T) ELEMENTS.getAcquire(objects, (int) index);
    }

    /** The live object with this handle, or null. Any thread. */
    @SuppressWarnings("unchecked")
    T withHandle(int handle) {
        return handle < objects.length ? (T) ELEMENTS.getAcquire(objects, handle) : null;
    }

    /** The live objects that fit, under the control lock. */
    List<T> all(Predicate<? super T> fits) {
        List<T> found = new ArrayList<>();
        for (int i = 1; i < fresh; i++) {
            T object = withHandle(i);
            if (object != null && fits.test(object)) {
                found.add(object);
            }
        }
        return found;
    }

    int live() {
        return live;
    }
}
