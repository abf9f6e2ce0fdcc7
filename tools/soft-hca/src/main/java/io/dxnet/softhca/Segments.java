package io.dxnet.softhca;

/**
 * A scatter or gather list after its keys were checked: real addresses and lengths, empty entries
 * left out. Belongs to one half of a queue pair and is used under that half's lock.
 */
final class Segments {
    private final long[] starts = new long[SoftDevice.MAX_SGE + 1];
    private final long[] lengths = new long[SoftDevice.MAX_SGE + 1];
    private int count;
    private long total;

    /** The sum of the lengths. */
    long total() {
        return total;
    }

    void clear() {
        count = 0;
        total = 0;
    }

    void add(long start, long length) {
        starts[count] = start;
        lengths[count] = length;
        count++;
        total += length;
    }

    /**
     * Loads a list of {@code ibv_sge}.
     *
     * @param base the protection domain
     * @param access what each key must allow
     * @param needed where to stop: a device does not read entries that it does not need
     * @return whether the keys fit; {@link #total} may be less than needed
     */
    boolean load(long sges, int sgeCount, SoftProtectionDomain base, int access, long needed) {
        clear();
        return append(sges, sgeCount, base, access, needed);
    }

    private boolean append(long sges, int sgeCount, SoftProtectionDomain base, int access, long needed) {
        long sge = sges;
        for (int i = 0; i < sgeCount && total < needed; i++, sge += Offsets.SGE_SIZE) {
            long length = Memory.getUnsignedInt(sge + Offsets.SGE_LENGTH);
            if (length != 0) {
                long start = SoftMemoryRegion.resolve(
                        Memory.getInt(sge + Offsets.SGE_LKEY),
                        Memory.getLong(sge + Offsets.SGE_ADDR),
                        length,
                        base,
                        access);
                if (start == SoftMemoryRegion.NO_ACCESS) {
                    return false;
                }
                add(start, length);
            }
        }
        return true;
    }

    /** Loads a list whose memory is the application's own: inline data. */
    void loadInline(long sges, int sgeCount) {
        clear();
        long sge = sges;
        for (int i = 0; i < sgeCount; i++, sge += Offsets.SGE_SIZE) {
            long length = Memory.getUnsignedInt(sge + Offsets.SGE_LENGTH);
            if (length != 0) {
                add(Memory.getLong(sge + Offsets.SGE_ADDR), length);
            }
        }
    }

    /** Adds all of another list. */
    void addAll(Segments others) {
        for (int i = 0; i < others.count; i++) {
            add(others.starts[i], others.lengths[i]);
        }
    }

    /** How many bytes a list of {@code ibv_sge} names, keys unseen. */
    static long sum(long sges, int sgeCount) {
        long sum = 0;
        for (int i = 0; i < sgeCount; i++) {
            sum += Memory.getUnsignedInt(sges + i * Offsets.SGE_SIZE + Offsets.SGE_LENGTH);
        }
        return sum;
    }

    /** Copies all of this to the beginning of {@code to}, which has room. */
    void copyTo(Segments to) {
        if (count == 1) {
            to.fillFirst(starts[0], lengths[0]);
        } else {
            copyManyTo(to);
        }
    }

    private void fillFirst(long from, long bytes) {
        if (lengths[0] >= bytes) {
            Memory.copy(from, starts[0], bytes);
        } else {
            fill(from, bytes, 0);
        }
    }

    private void copyManyTo(Segments to) {
        long done = 0;
        for (int i = 0; i < count; i++) {
            to.fill(starts[i], lengths[i], done);
            done += lengths[i];
        }
    }

    /** Sets one byte, {@code offset} bytes into the list. */
    void putByte(long offset, byte value) {
        long skip = offset;
        int i = 0;
        while (skip >= lengths[i]) {
            skip -= lengths[i++];
        }
        Memory.putByte(starts[i] + skip, value);
    }

    /** Copies from this list, beginning {@code offset} bytes into it. */
    void drain(long offset, long to, long bytes) {
        long skip = offset;
        int i = 0;
        while (skip >= lengths[i]) {
            skip -= lengths[i++];
        }
        long copied = 0;
        while (copied < bytes) {
            long part = Math.min(bytes - copied, lengths[i] - skip);
            Memory.copy(starts[i++] + skip, to + copied, part);
            copied += part;
            skip = 0;
        }
    }

    /** Copies to this list, beginning {@code offset} bytes into it. */
    void fill(long from, long bytes, long offset) {
        long skip = offset;
        int i = 0;
        while (skip >= lengths[i]) {
            skip -= lengths[i++];
        }
        long copied = 0;
        while (copied < bytes) {
            long part = Math.min(bytes - copied, lengths[i] - skip);
            Memory.copy(from + copied, starts[i++] + skip, part);
            copied += part;
            skip = 0;
        }
    }
}
