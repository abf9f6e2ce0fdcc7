package io.dxnet.ibverbs;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A global identifier: 16 bytes in the form of an IPv6 address ({@code union ibv_gid}).
 *
 * @param prefix the first eight bytes, big endian
 * @param interfaceId the last eight bytes, big endian
 */
public record Gid(long prefix, long interfaceId) {
    private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;

    /**
     * Makes a GID of bytes.
     *
     * @param bytes 16 bytes in network order
     * @return the GID
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * Makes the GID of an IP address, as RoCE does: an IPv4 address becomes {@code ::ffff:a.b.c.d}.
     *
     * @param address an IPv4 or IPv6 address
     * @return the GID
     */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return new Gid(
                    0,
                    0xffffL << 32
                            | Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt()));
        }
        return of(bytes);
    }

    /**
     * Reads 32 hexadecimal digits, the form in which the examples of rdma-core exchange GIDs.
     *
     * @param hex 32 digits in network order
     * @return the GID
     */
    public static Gid parseHex(String hex) {
        return of(HexFormat.of().parseHex(hex));
    }

    /**
     * Returns the bytes.
     *
     * @return 16 bytes in network order
     */
    public byte[] bytes() {
        return ByteBuffer.allocate(16).putLong(prefix).putLong(interfaceId).array();
    }

    /**
     * Returns 32 hexadecimal digits, see {@link #parseHex(String)}.
     *
     * @return 32 digits in network order
     */
    public String toHex() {
        return HexFormat.of().formatHex(bytes());
    }

    /**
     * Returns whether this entry of a GID table is empty.
     *
     * @return whether all bytes are zero
     */
    public boolean isZero() {
        return prefix == 0 && interfaceId == 0;
    }

    /**
     * Returns whether this is an IPv4 address, {@code ::ffff:a.b.c.d}.
     *
     * @return whether it is mapped IPv4
     */
    public boolean isIpv4Mapped() {
        return prefix == 0 && interfaceId >>> 32 == 0xffff;
    }

    /**
     * Returns whether this is a link-local address, {@code fe80::/64}.
     *
     * @return whether it reaches only the same link
     */
    public boolean isLinkLocal() {
        return prefix == LINK_LOCAL;
    }

    /** Returns the text of the IPv6 address; IPv4 as {@code ::ffff:a.b.c.d}. */
    @Override
    public String toString() {
        try {
            String text = InetAddress.getByAddress(bytes()).getHostAddress();
            return isIpv4Mapped() ? "::ffff:" + text : text;
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are an address", e);
        }
    }
}
