package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_port_attr;

/**
 * A port's state and limits ({@code struct ibv_port_attr}; {@code man ibv_query_port}).
 *
 * @param state whether it carries traffic
 * @param maxMtu the largest MTU it can
 * @param activeMtu the MTU in use; both ends of a connection must be given the same
 * @param gidTableLength the entries of its GID table, filled or not
 * @param maxMessageBytes the largest message; rxe reports 8 MiB and does not enforce it
 * @param pkeyTableLength the entries of its partition table
 * @param lid its local identifier, 0 on Ethernet
 * @param smLid the subnet manager's
 * @param linkLayer what carries its packets
 */
public record PortAttributes(
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTableLength,
        long maxMessageBytes,
        int pkeyTableLength,
        int lid,
        int smLid,
        LinkLayer linkLayer) {
    static PortAttributes read(long at) {
        return new PortAttributes(
                PortState.of(Memory.getInt(at + ibv_port_attr.state$offset())),
                Mtu.of(Memory.getInt(at + ibv_port_attr.max_mtu$offset())),
                Mtu.of(Memory.getInt(at + ibv_port_attr.active_mtu$offset())),
                Memory.getInt(at + ibv_port_attr.gid_tbl_len$offset()),
                Integer.toUnsignedLong(Memory.getInt(at + ibv_port_attr.max_msg_sz$offset())),
                Short.toUnsignedInt(Memory.getShort(at + ibv_port_attr.pkey_tbl_len$offset())),
                Short.toUnsignedInt(Memory.getShort(at + ibv_port_attr.lid$offset())),
                Short.toUnsignedInt(Memory.getShort(at + ibv_port_attr.sm_lid$offset())),
                LinkLayer.of(Memory.getByte(at + ibv_port_attr.link_layer$offset())));
    }
}
