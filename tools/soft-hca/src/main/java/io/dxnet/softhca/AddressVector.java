package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_ah_attr;
import io.dxnet.ibverbs.raw.ibv_global_route;

/** {@code ibv_ah_attr}: a path, and the device at its end (null where none has that address). */
record AddressVector(byte[] attributes, SoftDevice target, Gid source, Gid destination, boolean isGlobal) {
    private static final int SIZE = (int) ibv_ah_attr.layout().byteSize();
    private static final long GRH = ibv_ah_attr.grh$offset();

    /**
     * Reads and checks a path that starts at {@code device}. Fails with {@code EINVAL} for a port
     * or index that does not exist or, on Ethernet, a path without a global route; with
     * {@code ENODATA} for an empty entry of the GID table.
     */
    static AddressVector read(SoftDevice device, long address) {
        boolean global = Memory.getByte(address + ibv_ah_attr.is_global$offset()) != 0;
        VerbError.require(Memory.getByte(address + ibv_ah_attr.port_num$offset()) == 1);
        VerbError.require(global || device.isInfiniband());
        Gid source = Gid.NONE;
        Gid destination = Gid.NONE;
        if (global) {
            int index = Byte.toUnsignedInt(Memory.getByte(address + GRH + ibv_global_route.sgid_index$offset()));
            VerbError.require(index < SoftDevice.GID_TABLE_LENGTH);
            source = device.gid(index);
            if (source.equals(Gid.NONE)) {
                throw new VerbError(Ibv.ENODATA);
            }
            destination = Gid.read(address + GRH + ibv_global_route.dgid$offset());
        }
        int lid = Short.toUnsignedInt(Memory.getShort(address + ibv_ah_attr.dlid$offset()));
        VerbError.require(!device.isWire() || destination.isIpv4() && WireAddress.isPeer(destination.ipv4()));
        SoftDevice target = Devices.reachable(device, global, destination, lid);
        return new AddressVector(Memory.getBytes(address, SIZE), target, source, destination, global);
    }

    void write(long address) {
        Memory.putBytes(address, attributes);
    }
}
