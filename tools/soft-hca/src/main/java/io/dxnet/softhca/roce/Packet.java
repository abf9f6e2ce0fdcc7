package io.dxnet.softhca.roce;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A packet in native memory, from its base header to its pad, with room for the check sum behind
 * it. The same object is filled and sent, or received and read, again and again. One thread at a
 * time uses it.
 */
public final class Packet {
    /** The largest payload: the largest path MTU. */
    public static final int MAX_PAYLOAD = 4096;

    /** The size of the check sum behind the pad. */
    public static final int CHECK_BYTES = 4;

    /** The size of an acknowledgement, check sum included. */
    public static final int ACKNOWLEDGEMENT_BYTES = Opcode.headerBytes(Opcode.ACKNOWLEDGE) + CHECK_BYTES;

    /** More than any packet has, so that a longer datagram is noticed. */
    public static final int CAPACITY = MAX_PAYLOAD + 256;

    private static final int ALIGNMENT = 4;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(CAPACITY);
    private final long address = MemorySegment.ofBuffer(bytes).address();
    private int headerBytes;
    private int payloadBytes;
    private int length;

    /** Creates an empty packet. */
    public Packet() {}

    /**
     * {@return the memory; its position and limit are free for the caller}
     */
    public ByteBuffer bytes() {
        return bytes;
    }

    /**
     * {@return the address of the base header}
     */
    public long address() {
        return address;
    }

    /**
     * {@return the address of the payload}
     */
    public long payloadAddress() {
        return address + headerBytes;
    }

    /**
     * {@return the size of the payload, without pad}
     */
    public int payloadBytes() {
        return payloadBytes;
    }

    /**
     * {@return the bytes from the base header to the pad, without check sum}
     */
    public int length() {
        return length;
    }

    /**
     * Begins a packet with its base header.
     *
     * @param opcode the operation code
     * @param solicited whether the receiver is to wake the application
     * @param target the queue pair number of the receiver
     * @param acknowledge whether an acknowledgement is requested
     * @param psn the packet sequence number, counted or on the wire
     */
    public void begin(int opcode, boolean solicited, int target, boolean acknowledge, long psn) {
        BthDescriptor.write(bytes, opcode, solicited, target, acknowledge, Psn.onWire(psn));
        headerBytes = Opcode.headerBytes(opcode);
        payloadBytes = 0;
        length = headerBytes;
    }

    /**
     * Sets the size of the payload, which the caller writes at {@link #payloadAddress}, and pads
     * it.
     *
     * @param payload bytes, at most {@link #MAX_PAYLOAD}
     */
    public void setPayload(int payload) {
        int pad = -payload & ALIGNMENT - 1;
        payloadBytes = payload;
        length = headerBytes + payload + pad;
        for (int at = headerBytes + payload; at < length; at++) {
            bytes.put(at, (byte) 0);
        }
        BthDescriptor.setPad(bytes, pad);
    }

    /** Requests an acknowledgement. */
    void requestAcknowledgement() {
        BthDescriptor.setAcknowledge(bytes);
    }

    /**
     * Finds header, payload and pad in received bytes, and checks whether they are for this
     * endpoint.
     *
     * @param datagram how many bytes were received, check sum included
     * @return whether it is a packet: known, complete, of this protocol's version and partition
     */
    public boolean parse(int datagram) {
        return decode(datagram)
                && BthDescriptor.version(bytes) == 0
                && (partition() & 0x7fff) == (BthDescriptor.DEFAULT_PARTITION & 0x7fff);
    }

    /**
     * Finds header, payload and pad in received bytes.
     *
     * @param datagram how many bytes were received, check sum included
     * @return whether it is a packet: known and complete
     */
    public boolean decode(int datagram) {
        length = datagram - CHECK_BYTES;
        if (length < BthDescriptor.BYTES || (length & ALIGNMENT - 1) != 0 || datagram > CAPACITY) {
            return false;
        }
        headerBytes = Opcode.headerBytes(opcode());
        if (headerBytes < 0 || length < headerBytes) {
            return false;
        }
        payloadBytes = length - headerBytes - BthDescriptor.pad(bytes);
        boolean fits = payloadBytes >= 0 && payloadBytes <= MAX_PAYLOAD;
        return fits && (Opcode.hasPayload(opcode()) || length == headerBytes);
    }

    /**
     * {@return the key of the partition; its highest bit tells full membership}
     */
    public int partition() {
        return BthDescriptor.partition(bytes);
    }

    /**
     * {@return the operation code}
     */
    public int opcode() {
        return BthDescriptor.opcode(bytes);
    }

    /**
     * {@return the queue pair number of the receiver}
     */
    public int target() {
        return BthDescriptor.target(bytes);
    }

    /**
     * {@return the packet sequence number on the wire}
     */
    public int psn() {
        return BthDescriptor.psn(bytes);
    }

    /**
     * {@return whether the sender requests an acknowledgement}
     */
    public boolean wantsAcknowledgement() {
        return BthDescriptor.acknowledge(bytes);
    }

    /**
     * {@return whether it is a positive acknowledgement and nothing else}
     */
    public boolean isPositiveAck() {
        return opcode() == Opcode.ACKNOWLEDGE && AethDescriptor.isAcknowledged(AethDescriptor.syndrome(bytes));
    }

    /**
     * {@return whether the sender wants the application to be woken}
     */
    public boolean isSolicited() {
        return BthDescriptor.solicited(bytes);
    }

    /**
     * {@return the immediate data of a packet that has some, in network byte order as an int}
     */
    public int immediate() {
        return ImmediateDescriptor.data(bytes, headerBytes);
    }

    /**
     * Sets the immediate data of a packet that has some.
     *
     * @param data in network byte order as an int
     */
    public void setImmediate(int data) {
        ImmediateDescriptor.write(bytes, headerBytes, data);
    }

    /**
     * {@return the key of the memory window that a packet with one invalidates}
     */
    public int invalidateKey() {
        return InvalidateDescriptor.key(bytes, headerBytes);
    }

    /**
     * Sets the key of the memory window that a packet with one invalidates.
     *
     * @param key the remote key
     */
    public void setInvalidateKey(int key) {
        InvalidateDescriptor.write(bytes, headerBytes, key);
    }

    /**
     * {@return the queue key of a datagram}
     */
    public int queueKey() {
        return DethDescriptor.key(bytes);
    }

    /**
     * {@return the queue pair number of a datagram's sender}
     */
    public int source() {
        return DethDescriptor.source(bytes);
    }

    /**
     * Sets what a datagram has beside its base header.
     *
     * @param queueKey the key of the receiver
     * @param source the sender's queue pair number
     */
    public void setDatagram(int queueKey, int source) {
        DethDescriptor.write(bytes, queueKey, source);
    }
}
