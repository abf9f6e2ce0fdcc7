package io.dxnet.softhca;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What {@code sendmsg(2)} and {@code recvmsg(2)} of Linux need for datagrams of IPv4, and the bytes
 * of these datagrams behind it: a {@code msghdr}, an {@code iovec}, a {@code sockaddr_in}, and a
 * {@code cmsghdr} with the size of a datagram, where several pass through the kernel as one
 * (udp(7): {@code UDP_SEGMENT}, {@code UDP_GRO}). One thread at a time uses it.
 *
 * <pre>
 *  msghdr 56 | iovec 16 | sockaddr_in 16 | cmsghdr and size 24 | datagrams
 * </pre>
 */
final class MessageHeader {
    /** The size of a {@code sockaddr_in}. */
    static final int NAME_BYTES = 16;

    private static final short AF_INET = 2;

    private static final int NAME_LENGTH = 8;
    private static final int VECTOR_AT = 16;
    private static final int VECTOR_COUNT = 24;
    private static final int CONTROL_AT = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;

    private static final int VECTOR = 56;
    private static final int VECTOR_LENGTH = VECTOR + 8;
    private static final int NAME = VECTOR + 16;

    private static final int CONTROL = NAME + NAME_BYTES;
    private static final int CONTROL_BYTES = 24;
    private static final int CONTROL_LEVEL = CONTROL + 8;
    private static final int CONTROL_TYPE = CONTROL + 12;
    private static final int CONTROL_DATA = CONTROL + 16;
    private static final int SEGMENT_LENGTH = 16 + Short.BYTES;

    private static final int DATA = CONTROL + CONTROL_BYTES;

    private final MemorySegment memory;
    private final long address;
    private final int capacity;

    /** @param capacity bytes of datagrams */
    MessageHeader(int capacity) {
        this.memory = Arena.ofAuto().allocate(DATA + (long) capacity, Long.BYTES);
        this.address = memory.address();
        this.capacity = capacity;
        Memory.putLong(address, address + NAME);
        Memory.putLong(address + VECTOR_AT, address + VECTOR);
        Memory.putLong(address + VECTOR_COUNT, 1);
        Memory.putLong(address + CONTROL_AT, address + CONTROL);
        Memory.putLong(address + VECTOR, address + DATA);
    }

    /** Writes a {@code sockaddr_in}. */
    static void writeName(long at, int address, int port) {
        Memory.putShort(at, AF_INET);
        Memory.putShort(at + 2, Short.reverseBytes((short) port));
        Memory.putInt(at + 4, Integer.reverseBytes(address));
    }

    /** {@return the address of the {@code msghdr}} */
    long address() {
        return address;
    }

    /** {@return the address of the first datagram} */
    long data() {
        return address + DATA;
    }

    /** {@return a view of a part of the datagrams} */
    ByteBuffer view(int at, int length) {
        return memory.asSlice(DATA + (long) at, length).asByteBuffer();
    }

    /**
     * Prepares it for sending.
     *
     * @param bytes of all datagrams
     * @param datagramBytes of each but the last
     * @param peer the IPv4 address
     */
    void prepareSend(int bytes, int datagramBytes, int peer) {
        writeName(address + NAME, peer, WireAddress.PORT);
        Memory.putInt(address + NAME_LENGTH, NAME_BYTES);
        Memory.putLong(address + VECTOR_LENGTH, bytes);
        if (bytes == datagramBytes) {
            Memory.putLong(address + CONTROL_LENGTH, 0);
            return;
        }
        Memory.putLong(address + CONTROL_LENGTH, CONTROL_BYTES);
        Memory.putLong(address + CONTROL, SEGMENT_LENGTH);
        Memory.putInt(address + CONTROL_LEVEL, UdpSocket.SOL_UDP);
        Memory.putInt(address + CONTROL_TYPE, UdpSocket.UDP_SEGMENT);
        Memory.putShort(address + CONTROL_DATA, (short) datagramBytes);
    }

    /** Prepares it for receiving as many bytes as it holds. */
    void prepareReceive() {
        Memory.putInt(address + NAME_LENGTH, NAME_BYTES);
        Memory.putLong(address + VECTOR_LENGTH, capacity);
        Memory.putLong(address + CONTROL_LENGTH, CONTROL_BYTES);
        Memory.putInt(address + FLAGS, 0);
    }

    /** {@return the bytes of each datagram but the last, where several were received, else 0} */
    int receivedDatagramBytes() {
        boolean isGiven = Memory.getLong(address + CONTROL_LENGTH) >= SEGMENT_LENGTH
                && Memory.getInt(address + CONTROL_LEVEL) == UdpSocket.SOL_UDP
                && Memory.getInt(address + CONTROL_TYPE) == UdpSocket.UDP_GRO;
        return isGiven ? Memory.getInt(address + CONTROL_DATA) : 0;
    }

    /** {@return the IPv4 address from which a message came} */
    int source() {
        return Integer.reverseBytes(Memory.getInt(address + NAME + 4));
    }

    /** {@return the port from which a message came} */
    int sourcePort() {
        return Short.toUnsignedInt(Short.reverseBytes(Memory.getShort(address + NAME + 2)));
    }
}
