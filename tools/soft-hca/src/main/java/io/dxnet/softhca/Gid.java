package io.dxnet.softhca;

/** A global identifier as it lies in memory: two halves of eight bytes, network byte order. */
record Gid(long prefix, long interfaceId) {
    static final Gid NONE = new Gid(0, 0);

    static Gid read(long address) {
        return new Gid(Memory.getLong(address), Memory.getLong(address + 8));
    }

    void write(long address) {
        Memory.putLong(address, prefix);
        Memory.putLong(address + 8, interfaceId);
    }

    /** {@code fe80::} and the device's GUID (host byte order). */
    static Gid linkLocal(long guid) {
        return new Gid(Long.reverseBytes(0xfe80_0000_0000_0000L), Long.reverseBytes(guid));
    }

    /** Whether it is {@code ::ffff:a.b.c.d}. */
    boolean isIpv4() {
        return prefix == 0 && Long.reverseBytes(interfaceId) >>> 32 == 0xffff;
    }

    /** The last four bytes: an IPv4 address where it is one. */
    int ipv4() {
        return (int) Long.reverseBytes(interfaceId);
    }

    /** {@code ::ffff:a.b.c.d}. */
    static Gid ofIpv4(int address) {
        return new Gid(0, Long.reverseBytes(0xffff_0000_0000L | Integer.toUnsignedLong(address)));
    }
}
