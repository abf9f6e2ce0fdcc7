package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_grh;

/**
 * The global route header that a datagram's receiver finds in the first 40 bytes; all
 * zero where the path is not global.
 */
final class Grh {
    private static final int IP_VERSION_6 = 6 << 28;
    private static final int NEXT_HEADER_IBA = 0x1b;
    private static final int HOPS = 64;

    private Grh() {}

    static void write(long address, AddressVector path, int payload) {
        if (path.isGlobal()) {
            write(address, path.source(), path.destination(), payload);
        } else {
            Memory.clear(address, ibv_grh.layout().byteSize());
        }
    }

    static void write(long address, Gid source, Gid destination, int payload) {
        Memory.clear(address, ibv_grh.layout().byteSize());
        Memory.putInt(address + ibv_grh.version_tclass_flow$offset(), Integer.reverseBytes(IP_VERSION_6));
        Memory.putShort(address + ibv_grh.paylen$offset(), Short.reverseBytes((short) payload));
        Memory.putByte(address + ibv_grh.next_hdr$offset(), NEXT_HEADER_IBA);
        Memory.putByte(address + ibv_grh.hop_limit$offset(), HOPS);
        source.write(address + ibv_grh.sgid$offset());
        destination.write(address + ibv_grh.dgid$offset());
    }
}
