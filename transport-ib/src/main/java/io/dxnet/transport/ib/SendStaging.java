package io.dxnet.transport.ib;

import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/**
 * Encrypted messages of one send queue, from their encryption to their completion: a slot of
 * registered memory for each request that the queue may have under way, used in turn.
 *
 * <p>What is encrypted is posted as it is: where the device does not accept a message, it waits
 * here and is posted first the next time. So no message is encrypted twice, and no nonce either.
 *
 * <p>Performance sketch, for a message of n bytes: n bytes copied from the ring to the heap,
 * encrypted there, and copied to the slot; GCM's key schedule and hash key are computed again for
 * each message, because {@code javax.crypto} has no way to keep them. The holder of the send lock.
 */
final class SendStaging {
    /** Of the ring, encrypted at once: fits into the first caches, a multiple of AES's block. */
    private static final int CHUNK_BYTES = 16 << 10;

    private static final int LINE_BYTES = 64;

    private final OutgoingRingBuffer ring;
    private final MemoryRegion region;
    private final GcmDirection direction;
    private final int slotBytes;
    private final byte[] plain;
    private final byte[] encrypted;
    private final int[] immediates; // of each slot
    private final int[] contents; // of each slot, bytes
    private int first; // the slot of the message that is posted next
    private int waiting; // messages from there on that are not posted

    /**
     * Staging without a message.
     *
     * @param ring whose content is encrypted
     * @param region of {@link #regionBytes}
     * @param slots the depth of the send queue
     * @param contentMax the most bytes of a message's content
     * @param direction from this node
     */
    SendStaging(OutgoingRingBuffer ring, MemoryRegion region, int slots, int contentMax, GcmDirection direction) {
        this.ring = ring;
        this.region = region;
        this.direction = direction;
        this.slotBytes = slotBytes(contentMax);
        int chunk = Math.min(CHUNK_BYTES, contentMax);
        this.plain = new byte[chunk];
        this.encrypted = new byte[chunk + 2 * GcmDirection.TAG_BYTES];
        this.immediates = new int[slots];
        this.contents = new int[slots];
    }

    private static int slotBytes(int contentMax) {
        return (contentMax + GcmDirection.TAG_BYTES + LINE_BYTES - 1) & -LINE_BYTES;
    }

    /** Returns the memory that is registered for one send queue. */
    static long regionBytes(int slots, int contentMax) {
        return (long) slots * slotBytes(contentMax);
    }

    /** Returns how many messages are encrypted and not posted. */
    int waiting() {
        return waiting;
    }

    /**
     * Encrypts the next message.
     *
     * @param immediate its immediate data
     * @param position where its content begins in the ring
     * @param bytes of its content; may be 0
     */
    void encrypt(int immediate, long position, int bytes) {
        int slot = slot(waiting);
        immediates[slot] = immediate;
        contents[slot] = bytes;
        try {
            Cipher cipher = direction.begin(immediate, bytes);
            long target = (long) slot * slotBytes;
            int left = bytes;
            do {
                int chunk = Math.min(left, plain.length);
                read(position + (bytes - left), chunk);
                left -= chunk;
                int length = left > 0
                        ? cipher.update(plain, 0, chunk, encrypted, 0)
                        : cipher.doFinal(plain, 0, chunk, encrypted, 0);
                MemorySegment.copy(encrypted, 0, region.memory(), ValueLayout.JAVA_BYTE, target, length);
                target += length;
            } while (left > 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed: " + e.getMessage(), e);
        }
        waiting++;
    }

    /** Copies a part of the ring to the heap, also across its end. */
    private void read(long position, int bytes) {
        int offset = ring.offset(position);
        int contiguous = Math.min(bytes, ring.capacity() - offset);
        MemorySegment.copy(ring.segment(), ValueLayout.JAVA_BYTE, offset, plain, 0, contiguous);
        MemorySegment.copy(ring.segment(), ValueLayout.JAVA_BYTE, 0, plain, contiguous, bytes - contiguous);
    }

    /**
     * Adds all messages that wait to a chain.
     *
     * @param chain empty, with room for them
     * @param requestId of each request
     * @param requestBytes is set to the bytes of each one's content
     */
    void addTo(SendChain chain, long requestId, int[] requestBytes) {
        for (int i = 0; i < waiting; i++) {
            int slot = slot(i);
            chain.sendImmediate(requestId, immediates[slot]);
            chain.sge(region, (long) slot * slotBytes, contents[slot] + GcmDirection.TAG_BYTES);
            requestBytes[i] = contents[slot];
        }
    }

    /** The device has accepted the first of those that wait. */
    void accepted(int requests) {
        first = slot(requests);
        waiting -= requests;
    }

    private int slot(int next) {
        int slot = first + next;
        return slot < contents.length ? slot : slot - contents.length;
    }
}
