package io.dxnet.softhca.roce;

/** Builds the packets of requests in the memory of two, in turn. */
final class RequestPackets {
    private final int peer;
    private final int pathMtu;
    private Packet packet = new Packet();
    private Packet other; // made for the first chain of two packets

    RequestPackets(int peer, int pathMtu) {
        this.peer = peer;
        this.pathMtu = pathMtu;
    }

    /** What was built. */
    Packet packet() {
        return packet;
    }

    /** What is built next lies elsewhere: what was built last stays as it is. */
    void swap() {
        Packet built = packet;
        packet = other == null ? new Packet() : other;
        other = built;
    }

    /** Builds the request of {@code count} packets of a read's answer, from {@code index} on. */
    void buildRead(Request request, long psn, long index, long count) {
        long offset = index * pathMtu;
        long bytes = Math.min(request.length - offset, count * pathMtu);
        packet.begin(Opcode.READ_REQUEST, false, peer, true, psn);
        RethDescriptor.write(packet.bytes(), request.remoteAddress + offset, request.remoteKey, bytes);
    }

    void buildAtomic(Request request, long psn) {
        int opcode = request.kind == RequestKind.COMPARE_SWAP ? Opcode.COMPARE_SWAP : Opcode.FETCH_ADD;
        packet.begin(opcode, false, peer, true, psn);
        AtomicDescriptor.write(
                packet.bytes(), request.remoteAddress, request.remoteKey, request.swapOrAdd, request.compare);
    }

    /**
     * Builds the headers of a packet of a send or a write, and pads its payload.
     *
     * @param index the packet's place in its message
     * @return the bytes of the payload, which are still to be copied
     */
    int buildMessage(Request request, long psn, long index, boolean isLast, boolean acknowledge) {
        boolean isFirst = index == 0;
        boolean hasImmediate = isLast && request.kind.isImmediate();
        boolean invalidates = isLast && request.kind == RequestKind.SEND_INVALIDATE;
        int opcode = invalidates
                ? isFirst ? Opcode.SEND_ONLY_INV : Opcode.SEND_LAST_INV
                : opcode(request.kind.isSend(), isFirst, isLast, hasImmediate);
        packet.begin(opcode, isLast && request.solicited, peer, acknowledge, psn);
        if (isFirst && !request.kind.isSend()) {
            RethDescriptor.write(packet.bytes(), request.remoteAddress, request.remoteKey, request.length);
        }
        if (hasImmediate) {
            packet.setImmediate(request.immediate);
        }
        if (invalidates) {
            packet.setInvalidateKey(request.invalidateKey);
        }
        int bytes = (int) Math.min(pathMtu, request.length - index * pathMtu);
        packet.setPayload(bytes);
        return bytes;
    }

    private static int opcode(boolean sends, boolean isFirst, boolean isLast, boolean hasImmediate) {
        int base = sends ? Opcode.SEND_FIRST : Opcode.WRITE_FIRST;
        if (!isLast) {
            return base + (isFirst ? 0 : 1);
        }
        return base + (isFirst ? 4 : 2) + (hasImmediate ? 1 : 0);
    }
}
