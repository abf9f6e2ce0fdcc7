package io.dxnet.softhca.roce;

/**
 * The operation codes of the base transport header that this endpoint sends and accepts:
 * reliable connections (0x00 and up) and unreliable datagrams (0x64 and up).
 */
public final class Opcode {
    /** The first of several packets of a send. */
    public static final int SEND_FIRST = 0x00;

    /** One between the first and the last. */
    public static final int SEND_MIDDLE = 0x01;

    /** The last packet of a send. */
    public static final int SEND_LAST = 0x02;

    /** The last packet of a send, with immediate data. */
    public static final int SEND_LAST_IMM = 0x03;

    /** A send of one packet. */
    public static final int SEND_ONLY = 0x04;

    /** A send of one packet, with immediate data. */
    public static final int SEND_ONLY_IMM = 0x05;

    /** The first of several packets of an RDMA write. */
    public static final int WRITE_FIRST = 0x06;

    /** One between the first and the last. */
    public static final int WRITE_MIDDLE = 0x07;

    /** The last packet of an RDMA write. */
    public static final int WRITE_LAST = 0x08;

    /** The last packet of an RDMA write, with immediate data. */
    public static final int WRITE_LAST_IMM = 0x09;

    /** An RDMA write of one packet. */
    public static final int WRITE_ONLY = 0x0a;

    /** An RDMA write of one packet, with immediate data. */
    public static final int WRITE_ONLY_IMM = 0x0b;

    /** A request of an RDMA read. */
    public static final int READ_REQUEST = 0x0c;

    /** The first of several packets that answer a read. */
    public static final int READ_FIRST = 0x0d;

    /** One between the first and the last. */
    public static final int READ_MIDDLE = 0x0e;

    /** The last packet that answers a read. */
    public static final int READ_LAST = 0x0f;

    /** The one packet that answers a read. */
    public static final int READ_ONLY = 0x10;

    /** An acknowledgement, positive or negative. */
    public static final int ACKNOWLEDGE = 0x11;

    /** What an atomic operation found, and its acknowledgement. */
    public static final int ATOMIC_ACKNOWLEDGE = 0x12;

    /** A request to compare and swap. */
    public static final int COMPARE_SWAP = 0x13;

    /** A request to fetch and add. */
    public static final int FETCH_ADD = 0x14;

    /** The last packet of a send that invalidates a memory window. */
    public static final int SEND_LAST_INV = 0x16;

    /** A send of one packet that invalidates a memory window. */
    public static final int SEND_ONLY_INV = 0x17;

    /** A datagram. */
    public static final int UD_SEND_ONLY = 0x64;

    /** A datagram with immediate data. */
    public static final int UD_SEND_ONLY_IMM = 0x65;

    private static final String[] NAMES = {
        "SEND first",
        "SEND middle",
        "SEND last",
        "SEND last imm",
        "SEND only",
        "SEND only imm",
        "WRITE first",
        "WRITE middle",
        "WRITE last",
        "WRITE last imm",
        "WRITE only",
        "WRITE only imm",
        "READ request",
        "READ response first",
        "READ response middle",
        "READ response last",
        "READ response only",
        "ACK",
        "ATOMIC ACK",
        "COMPARE-SWAP",
        "FETCH-ADD",
        "RC opcode 0x15",
        "SEND last inv",
        "SEND only inv"
    };

    /** The notification of congestion, which this endpoint does not send. */
    private static final int CONGESTION = 0x81;

    /** The kinds of transport, in the three highest bits of a code. */
    private static final String[] SERVICES = {"RC", "UC", "RD", "UD", "other", "XRC", "other", "other"};

    private static final int SERVICE_SHIFT = 5;

    private Opcode() {}

    /**
     * {@return the bytes of the base and the extension headers, or -1 for an unknown code}
     *
     * @param opcode the code
     */
    public static int headerBytes(int opcode) {
        return switch (opcode) {
            case SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_ONLY, WRITE_MIDDLE, WRITE_LAST, READ_MIDDLE ->
                BthDescriptor.BYTES;
            case SEND_LAST_IMM, SEND_ONLY_IMM, WRITE_LAST_IMM -> BthDescriptor.BYTES + ImmediateDescriptor.BYTES;
            case SEND_LAST_INV, SEND_ONLY_INV -> BthDescriptor.BYTES + InvalidateDescriptor.BYTES;
            case WRITE_FIRST, WRITE_ONLY, READ_REQUEST -> BthDescriptor.BYTES + RethDescriptor.BYTES;
            case WRITE_ONLY_IMM -> BthDescriptor.BYTES + RethDescriptor.BYTES + ImmediateDescriptor.BYTES;
            case READ_FIRST, READ_LAST, READ_ONLY, ACKNOWLEDGE -> BthDescriptor.BYTES + AethDescriptor.BYTES;
            case ATOMIC_ACKNOWLEDGE -> BthDescriptor.BYTES + AethDescriptor.BYTES + AtomicAckDescriptor.BYTES;
            case COMPARE_SWAP, FETCH_ADD -> BthDescriptor.BYTES + AtomicDescriptor.BYTES;
            case UD_SEND_ONLY -> BthDescriptor.BYTES + DethDescriptor.BYTES;
            case UD_SEND_ONLY_IMM -> BthDescriptor.BYTES + DethDescriptor.BYTES + ImmediateDescriptor.BYTES;
            default -> -1;
        };
    }

    /**
     * {@return whether a packet of this code may have a payload}
     *
     * @param opcode a known code
     */
    public static boolean hasPayload(int opcode) {
        return opcode != READ_REQUEST
                && opcode != ACKNOWLEDGE
                && opcode != ATOMIC_ACKNOWLEDGE
                && opcode != COMPARE_SWAP
                && opcode != FETCH_ADD;
    }

    /**
     * {@return whether a packet of this code is for a requester: it answers a request}
     *
     * @param opcode a code of a reliable connection
     */
    public static boolean isResponse(int opcode) {
        return opcode >= READ_FIRST && opcode <= ATOMIC_ACKNOWLEDGE;
    }

    /**
     * {@return whether a packet of this code is an unreliable datagram}
     *
     * @param opcode the code
     */
    public static boolean isDatagram(int opcode) {
        return opcode == UD_SEND_ONLY || opcode == UD_SEND_ONLY_IMM;
    }

    /**
     * {@return whether a packet of this code carries immediate data}
     *
     * @param opcode the code
     */
    public static boolean hasImmediate(int opcode) {
        return opcode == SEND_LAST_IMM
                || opcode == SEND_ONLY_IMM
                || opcode == WRITE_LAST_IMM
                || opcode == WRITE_ONLY_IMM
                || opcode == UD_SEND_ONLY_IMM;
    }

    /**
     * {@return whether a packet of this code carries the key of a memory window to invalidate}
     *
     * @param opcode the code
     */
    public static boolean hasInvalidate(int opcode) {
        return opcode == SEND_LAST_INV || opcode == SEND_ONLY_INV;
    }

    /**
     * {@return whether a request's packet is one of a send or a write}
     *
     * @param opcode a code of a reliable connection
     */
    public static boolean isMessage(int opcode) {
        return opcode <= WRITE_ONLY_IMM || hasInvalidate(opcode);
    }

    /** Whether a packet is one of a send. */
    static boolean isSend(int opcode) {
        return opcode <= SEND_ONLY_IMM || hasInvalidate(opcode);
    }

    /**
     * {@return whether a packet of this code begins with an RDMA extended header}
     *
     * @param opcode the code
     */
    public static boolean hasReth(int opcode) {
        return opcode == WRITE_FIRST || opcode >= WRITE_ONLY && opcode <= READ_REQUEST;
    }

    /**
     * {@return whether a packet of this code has an acknowledgement extended header}
     *
     * @param opcode the code
     */
    public static boolean hasAeth(int opcode) {
        return isResponse(opcode) && opcode != READ_MIDDLE;
    }

    /**
     * {@return the code in words, and where it is none of this endpoint's, its kind and number}
     *
     * @param opcode the code
     */
    public static String name(int opcode) {
        if (opcode >= 0 && opcode < NAMES.length) {
            return NAMES[opcode];
        }
        return switch (opcode) {
            case UD_SEND_ONLY -> "UD SEND only";
            case UD_SEND_ONLY_IMM -> "UD SEND only imm";
            case CONGESTION -> "CNP (congestion notification)";
            default -> "%s opcode 0x%02x".formatted(SERVICES[opcode >>> SERVICE_SHIFT & 7], opcode);
        };
    }
}
