package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_ah_attr;
import io.dxnet.ibverbs.raw.ibv_global_route;
import io.dxnet.ibverbs.raw.ibv_grh;
import io.dxnet.ibverbs.raw.ibv_wc;

/** Address handles, and multicast groups, which this device does not have. */
final class AddressVerbs {
    private static final int HOPS = 64;

    private AddressVerbs() {}

    static long ibv_create_ah(long pd, long attr) {
        try (var _ = Fabric.control()) {
            SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
            domain.context.enter("ibv_create_ah");
            AddressVector vector = AddressVector.read(domain.context.device(), attr);
            SoftAddressHandle handle = Fabric.ADDRESS_HANDLES.add(new SoftAddressHandle(domain, vector));
            domain.addUser();
            return handle.address();
        }
    }

    static long ibv_create_ah_from_wc(long pd, long wc, long grh, byte port) {
        SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
        long attr = LibC.calloc(ibv_ah_attr.layout().byteSize());
        try {
            answer(domain.context.device(), port, wc, grh, attr);
            return ibv_create_ah(pd, attr);
        } finally {
            LibC.free(attr);
        }
    }

    static int ibv_init_ah_from_wc(long context, byte port, long wc, long grh, long attr) {
        answer(VerbError.live(Fabric.CONTEXTS.at(context)).device(), port, wc, grh, attr);
        return 0;
    }

    /** Fills the path back to the sender of a datagram. */
    private static void answer(SoftDevice device, byte port, long wc, long grh, long attr) {
        Memory.clear(attr, ibv_ah_attr.layout().byteSize());
        Memory.putShort(attr + ibv_ah_attr.dlid$offset(), Memory.getShort(wc + ibv_wc.slid$offset()));
        Memory.putByte(attr + ibv_ah_attr.sl$offset(), Memory.getByte(wc + ibv_wc.sl$offset()));
        Memory.putByte(attr + ibv_ah_attr.port_num$offset(), port);
        if ((Memory.getInt(wc + ibv_wc.wc_flags$offset()) & Ibv.IBV_WC_GRH) != 0) {
            long route = attr + ibv_ah_attr.grh$offset();
            Memory.putByte(attr + ibv_ah_attr.is_global$offset(), 1);
            Gid.read(grh + ibv_grh.sgid$offset()).write(route + ibv_global_route.dgid$offset());
            int index = indexOf(device, Gid.read(grh + ibv_grh.dgid$offset()));
            Memory.putByte(route + ibv_global_route.sgid_index$offset(), index);
            Memory.putByte(route + ibv_global_route.hop_limit$offset(), HOPS);
        }
    }

    private static int indexOf(SoftDevice device, Gid gid) {
        for (int i = 0; i < SoftDevice.GID_TABLE_LENGTH; i++) {
            if (device.gid(i).equals(gid)) {
                return i;
            }
        }
        throw new VerbError(Ibv.ENOENT);
    }

    static int ibv_destroy_ah(long ah) {
        try (var _ = Fabric.control()) {
            destroy(VerbError.live(Fabric.ADDRESS_HANDLES.at(ah)));
            return 0;
        }
    }

    static void destroy(SoftAddressHandle handle) {
        Fabric.ADDRESS_HANDLES.remove(handle);
        handle.domain().removeUser();
    }

    static int ibv_attach_mcast(long qp, long gid, short lid) {
        throw new VerbError(Ibv.EOPNOTSUPP);
    }

    static int ibv_detach_mcast(long qp, long gid, short lid) {
        throw new VerbError(Ibv.EOPNOTSUPP);
    }

    static int unsupported() {
        return Ibv.EOPNOTSUPP;
    }

    static long unsupported_object() {
        throw new VerbError(Ibv.EOPNOTSUPP);
    }
}
