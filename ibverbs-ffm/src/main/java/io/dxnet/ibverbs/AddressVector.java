package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_ah_attr;
import io.dxnet.ibverbs.raw.ibv_global_route;
import java.util.Objects;

/**
 * The way to another node's port ({@code struct ibv_ah_attr}). On Ethernet the GIDs are all, on
 * InfiniBand the LID is enough within a subnet.
 *
 * @param port the local port, from 1
 * @param lid the remote port's local identifier, 0 on Ethernet
 * @param gid the remote port's GID, null to address by LID alone
 * @param sourceGidIndex the local GID's place in the local table
 * @param hopLimit how many routers may be passed, at least 1
 * @param trafficClass the traffic class, on RoCE v2 DSCP and ECN
 * @param serviceLevel the service level, 0 to 15
 */
public record AddressVector(
        int port, int lid, Gid gid, int sourceGidIndex, int hopLimit, int trafficClass, int serviceLevel) {
    private static final int DEFAULT_HOP_LIMIT = 64;

    /** Checks the ranges. */
    public AddressVector {
        if (port < 1 || port > 255 || lid < 0 || lid > 0xffff) {
            throw new IllegalArgumentException("port " + port + ", lid " + lid);
        }
        Objects.checkIndex(sourceGidIndex, 256);
        Objects.checkIndex(hopLimit, 256);
        Objects.checkIndex(trafficClass, 256);
        Objects.checkIndex(serviceLevel, 16);
    }

    /**
     * Addresses by GID, as RoCE needs it.
     *
     * @param local the local GID, of {@link Context#chooseGid(int)}
     * @param remote the remote port's GID
     * @return the way
     */
    public static AddressVector of(GidEntry local, Gid remote) {
        return new AddressVector(local.port(), 0, remote, local.index(), DEFAULT_HOP_LIMIT, 0, 0);
    }

    /**
     * Addresses by LID, within an InfiniBand subnet.
     *
     * @param port the local port, from 1
     * @param lid the remote port's local identifier
     * @return the way
     */
    public static AddressVector of(int port, int lid) {
        return new AddressVector(port, lid, null, 0, DEFAULT_HOP_LIMIT, 0, 0);
    }

    /** Fills a zeroed {@code ibv_ah_attr}. */
    void write(long at) {
        Memory.putShort(at + ibv_ah_attr.dlid$offset(), lid);
        Memory.putByte(at + ibv_ah_attr.sl$offset(), serviceLevel);
        Memory.putByte(at + ibv_ah_attr.port_num$offset(), port);
        if (gid != null) {
            Memory.putByte(at + ibv_ah_attr.is_global$offset(), 1);
            long grh = at + ibv_ah_attr.grh$offset();
            Memory.putLongBigEndian(grh + ibv_global_route.dgid$offset(), gid.prefix());
            Memory.putLongBigEndian(grh + ibv_global_route.dgid$offset() + Long.BYTES, gid.interfaceId());
            Memory.putByte(grh + ibv_global_route.sgid_index$offset(), sourceGidIndex);
            Memory.putByte(grh + ibv_global_route.hop_limit$offset(), hopLimit);
            Memory.putByte(grh + ibv_global_route.traffic_class$offset(), trafficClass);
        }
    }
}
