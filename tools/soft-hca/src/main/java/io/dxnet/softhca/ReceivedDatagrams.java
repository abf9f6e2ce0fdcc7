package io.dxnet.softhca;

/**
 * The datagrams of one peer that one system call received: of equal size, the last of them perhaps
 * smaller. One thread at a time uses it.
 */
final class ReceivedDatagrams {
    /** More than the largest payload of UDP over IPv4. */
    private static final int CAPACITY = 1 << 16;

    private final MessageHeader header = new MessageHeader(CAPACITY);
    private int bytes;
    private int datagramBytes;

    /** Receives without waiting, and returns whether something came. */
    boolean receive(UdpSocket socket) {
        header.prepareReceive();
        bytes = socket.receive(header);
        if (bytes < 0) {
            return false;
        }
        int each = header.receivedDatagramBytes();
        datagramBytes = each > 0 ? each : Math.max(1, bytes);
        return true;
    }

    /** {@return how many came; an empty datagram is one} */
    int count() {
        return Math.max(1, (bytes + datagramBytes - 1) / datagramBytes);
    }

    long address(int index) {
        return header.data() + (long) index * datagramBytes;
    }

    int length(int index) {
        return Math.min(datagramBytes, bytes - index * datagramBytes);
    }

    int source() {
        return header.source();
    }

    int sourcePort() {
        return header.sourcePort();
    }
}
