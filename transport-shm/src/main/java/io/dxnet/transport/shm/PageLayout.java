package io.dxnet.transport.shm;

/**
 * The layout of a file of memory that a node shares: gates, then what the application has; in the
 * machine's byte order.
 *
 * <pre>
 *  offset  what
 *       0  magic, version
 *       8  bytes from 65536 on
 *      64  gates: one of 64 bytes for each attachment, 1023 of them
 *   65536  the memory of the application
 * </pre>
 */
final class PageLayout {
    /** "DXNetM" and the version in the last byte. */
    static final long MAGIC = 0x44584E65744D01L;

    static final long MAGIC_OFFSET = 0;
    static final long BYTES_OFFSET = 8;
    static final long GATE_BYTES = 64;
    static final int GATES = 1023;
    static final long MEMORY_OFFSET = 64 << 10;

    private PageLayout() {}

    /** {@return where a gate is} */
    static long gate(int index) {
        return GATE_BYTES * (index + 1);
    }

    /** {@return whether there is such a gate} */
    static boolean isGate(int index) {
        return index >= 0 && index < GATES;
    }
}
