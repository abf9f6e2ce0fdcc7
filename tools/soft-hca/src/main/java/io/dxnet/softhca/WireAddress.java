package io.dxnet.softhca;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** IPv4 addresses of devices on the wire, as an {@code int}, and the interfaces that have them. */
final class WireAddress {
    /** The UDP port of RoCEv2. */
    static final int PORT = 4791;

    /** Headers of IPv4 and UDP, the largest headers of a packet and its check sum. */
    private static final int OVERHEAD = 60;

    private static final int MTU_UNIT = 128;
    private static final int LOOPBACK_MTU = 1 << 16;
    private static final int UNKNOWN_MTU = 1500;

    private WireAddress() {}

    static InetAddress inetAddress(int address) {
        try {
            byte[] bytes = ByteBuffer.allocate(4).putInt(address).array();
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** The address of four decimal numbers, 0 where they are none. */
    static int parse(String text) {
        int address = 0;
        for (String part : text.split("\\.")) {
            int value = Integer.parseInt(part);
            if (value > 255) {
                return 0;
            }
            address = address << 8 | value;
        }
        return isPeer(address) ? address : 0;
    }

    /** Whether packets can be sent to an address: not multicast, not reserved, not "any". */
    static boolean isPeer(int address) {
        int first = address >>> 24;
        return first > 0 && first < 224;
    }

    private static NetworkInterface networkInterface(int address) {
        try {
            return NetworkInterface.getByInetAddress(inetAddress(address));
        } catch (IOException e) {
            return null;
        }
    }

    /** The largest code of a path MTU whose packets fit into those of the address's interface. */
    static int mtuCode(int address) {
        int mtu = UNKNOWN_MTU;
        try {
            NetworkInterface found = networkInterface(address);
            if (inetAddress(address).isLoopbackAddress()) {
                mtu = LOOPBACK_MTU;
            } else if (found != null) {
                mtu = found.getMTU();
            }
        } catch (IOException e) {
            System.getLogger("io.dxnet.softhca").log(System.Logger.Level.DEBUG, "MTU", e);
        }
        int code = Ibv.IBV_MTU_4096;
        while (code > 1 && (MTU_UNIT << code) + OVERHEAD > mtu) {
            code--;
        }
        return code;
    }

    static int interfaceIndex(int address) {
        NetworkInterface found = networkInterface(address);
        return found == null ? SoftDevice.LOOPBACK_INDEX : found.getIndex();
    }
}
