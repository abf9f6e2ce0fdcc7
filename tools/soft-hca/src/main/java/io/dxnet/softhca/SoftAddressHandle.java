package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_ah;

/** {@code ibv_ah}: the way to a device for datagrams. */
final class SoftAddressHandle extends SoftObject {
    private final SoftProtectionDomain domain;
    private final AddressVector vector;

    /** Made at the first datagram to a device on the wire; guarded by this object's monitor. */
    private WirePath path;

    SoftAddressHandle(SoftProtectionDomain domain, AddressVector vector) {
        super(domain.context);
        this.domain = domain;
        this.vector = vector;
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    AddressVector vector() {
        return vector;
    }

    /** The way to an address outside this process. */
    synchronized WirePath path() {
        if (path == null) {
            path = new WirePath(context.device(), vector.destination().ipv4());
        }
        return path;
    }

    @Override
    void writeStruct() {
        Memory.putLong(address() + ibv_ah.context$offset(), context.address());
        Memory.putLong(address() + ibv_ah.pd$offset(), domain.address());
        Memory.putInt(address() + ibv_ah.handle$offset(), handle());
    }
}
