package io.dxnet.softhca;

import java.nio.ByteBuffer;

/**
 * Datagrams for one peer that are sent with one system call: of equal size, the last of them
 * perhaps smaller. One thread at a time uses it.
 */
final class SendBatch {
    /** Linux sends so many at once at least ({@code UDP_MAX_SEGMENTS}). */
    private static final int DATAGRAMS_MAX = 64;

    /** The largest payload of UDP over IPv4, which bounds what passes through the kernel as one. */
    private static final int BYTES_MAX = 65_507;

    private final MessageHeader header;
    private final int capacity;
    private int count;
    private int bytes;

    /** Of each but the last. */
    private int datagramBytes;

    /** One for as many datagrams as pass through the kernel as one. */
    SendBatch() {
        this(BYTES_MAX);
    }

    /** @param capacity bytes of datagrams */
    SendBatch(int capacity) {
        this.header = new MessageHeader(capacity);
        this.capacity = capacity;
    }

    /** {@return whether a datagram can be added} */
    boolean accepts(int length) {
        return count == 0
                || count < DATAGRAMS_MAX
                        && length <= datagramBytes
                        && bytes == count * datagramBytes
                        && bytes + length <= capacity;
    }

    /** Adds a datagram that it accepts. */
    void add(long address, int length) {
        if (count == 0) {
            datagramBytes = length;
        }
        Memory.copy(address, header.data() + bytes, length);
        bytes += length;
        count++;
    }

    int count() {
        return count;
    }

    /** {@return a view of a datagram} */
    ByteBuffer datagram(int index) {
        int at = index * datagramBytes;
        return header.view(at, Math.min(datagramBytes, bytes - at));
    }

    /** {@return the message for all of them} */
    MessageHeader message(int peer) {
        header.prepareSend(bytes, datagramBytes, peer);
        return header;
    }

    void clear() {
        count = 0;
        bytes = 0;
    }
}
