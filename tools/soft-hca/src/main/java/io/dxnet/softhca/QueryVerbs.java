package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_device_attr;
import io.dxnet.ibverbs.raw.ibv_gid_entry;
import io.dxnet.ibverbs.raw.ibv_port_attr;

/** What the device can do, its port, its GIDs and its partition keys. */
final class QueryVerbs {
    /**
     * What the exported {@code ibv_query_port} writes: the structure of
     * before {@code port_cap_flags2}.
     */
    private static final long OLD_PORT_ATTR_BYTES = 48;

    private static final int DEFAULT_PKEY = 0xffff;
    private static final int VENDOR_ID = 0x5f7;
    private static final int ACTIVE_WIDTH_4X = 2;
    private static final int ACTIVE_SPEED_EDR = 32;
    private static final int PHYSICAL_DISABLED = 3;
    private static final int PHYSICAL_LINK_UP = 5;

    private QueryVerbs() {}

    private static SoftDevice device(long context, String verb) {
        SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
        open.enter(verb);
        return open.device();
    }

    static int ibv_query_device(long context, long attr) {
        write(device(context, "ibv_query_device"), attr);
        return 0;
    }

    /**
     * The operation of {@code verbs_context}: everything beyond the old
     * structure is 0, and so not offered.
     */
    static int query_device_ex(long context, long input, long attr, long bytes) {
        SoftDevice device = device(context, "ibv_query_device");
        VerbError.require(bytes >= ibv_device_attr.layout().byteSize());
        Memory.clear(attr, bytes);
        write(device, attr);
        return 0;
    }

    private static void write(SoftDevice device, long at) {
        Memory.clear(at, ibv_device_attr.layout().byteSize());
        Memory.putString(at + ibv_device_attr.fw_ver$offset(), "0.1", 64);
        Memory.putLong(at + ibv_device_attr.node_guid$offset(), Long.reverseBytes(device.guid()));
        Memory.putLong(at + ibv_device_attr.sys_image_guid$offset(), Long.reverseBytes(device.guid()));
        Memory.putLong(at + ibv_device_attr.max_mr_size$offset(), Long.MAX_VALUE);
        Memory.putLong(at + ibv_device_attr.page_size_cap$offset(), 0xfffff000L);
        Memory.putInt(at + ibv_device_attr.vendor_id$offset(), VENDOR_ID);
        Memory.putInt(at + ibv_device_attr.vendor_part_id$offset(), 1);
        Memory.putInt(at + ibv_device_attr.hw_ver$offset(), 1);
        Memory.putInt(at + ibv_device_attr.max_qp$offset(), Fabric.MAX_QUEUE_PAIRS - 1);
        Memory.putInt(at + ibv_device_attr.max_qp_wr$offset(), SoftDevice.MAX_QUEUE_WRS);
        Memory.putInt(
                at + ibv_device_attr.device_cap_flags$offset(),
                Ibv.IBV_DEVICE_PORT_ACTIVE_EVENT
                        | Ibv.IBV_DEVICE_RC_RNR_NAK_GEN
                        | Ibv.IBV_DEVICE_SRQ_RESIZE
                        | Ibv.IBV_DEVICE_CURR_QP_STATE_MOD
                        | Ibv.IBV_DEVICE_SYS_IMAGE_GUID
                        | (device.isIdle() ? 0 : Ibv.IBV_DEVICE_MEM_WINDOW_TYPE_2B));
        Memory.putInt(at + ibv_device_attr.max_sge$offset(), SoftDevice.MAX_SGE);
        Memory.putInt(at + ibv_device_attr.max_sge_rd$offset(), SoftDevice.MAX_SGE);
        Memory.putInt(at + ibv_device_attr.max_cq$offset(), Fabric.MAX_COMPLETION_QUEUES - 1);
        Memory.putInt(at + ibv_device_attr.max_cqe$offset(), SoftDevice.MAX_CQE);
        Memory.putInt(at + ibv_device_attr.max_mr$offset(), Fabric.MAX_MEMORY_REGIONS - 1);
        Memory.putInt(at + ibv_device_attr.max_mw$offset(), device.isIdle() ? 0 : Fabric.MAX_MEMORY_WINDOWS - 1);
        Memory.putInt(at + ibv_device_attr.max_pd$offset(), Fabric.MAX_PROTECTION_DOMAINS - 1);
        Memory.putInt(at + ibv_device_attr.max_qp_rd_atom$offset(), SoftDevice.MAX_READS);
        Memory.putInt(at + ibv_device_attr.max_res_rd_atom$offset(), SoftDevice.MAX_READS * 1024);
        Memory.putInt(at + ibv_device_attr.max_qp_init_rd_atom$offset(), SoftDevice.MAX_READS);
        Memory.putInt(at + ibv_device_attr.atomic_cap$offset(), Ibv.IBV_ATOMIC_HCA);
        Memory.putInt(at + ibv_device_attr.max_ah$offset(), Fabric.MAX_ADDRESS_HANDLES - 1);
        Memory.putInt(at + ibv_device_attr.max_srq$offset(), Fabric.MAX_SHARED_RECEIVE_QUEUES - 1);
        Memory.putInt(at + ibv_device_attr.max_srq_wr$offset(), SoftDevice.MAX_QUEUE_WRS);
        Memory.putInt(at + ibv_device_attr.max_srq_sge$offset(), SoftDevice.MAX_SGE);
        Memory.putShort(at + ibv_device_attr.max_pkeys$offset(), SoftDevice.PKEY_TABLE_LENGTH);
        Memory.putByte(at + ibv_device_attr.local_ca_ack_delay$offset(), 15);
        Memory.putByte(at + ibv_device_attr.phys_port_cnt$offset(), 1);
    }

    static int ibv_query_port(long context, byte port, long attr) {
        return query_port(context, port, attr, OLD_PORT_ATTR_BYTES);
    }

    static int query_port(long context, byte port, long attr, long bytes) {
        SoftDevice device = device(context, "ibv_query_port");
        requirePort(port);
        boolean up = device.isPortUp();
        VerbError.require(bytes >= OLD_PORT_ATTR_BYTES);
        Memory.clear(attr, bytes);
        Memory.putInt(attr + ibv_port_attr.state$offset(), up ? Ibv.IBV_PORT_ACTIVE : Ibv.IBV_PORT_DOWN);
        Memory.putInt(attr + ibv_port_attr.max_mtu$offset(), Ibv.IBV_MTU_4096);
        Memory.putInt(attr + ibv_port_attr.active_mtu$offset(), device.activeMtu());
        Memory.putInt(attr + ibv_port_attr.gid_tbl_len$offset(), SoftDevice.GID_TABLE_LENGTH);
        Memory.putInt(attr + ibv_port_attr.max_msg_sz$offset(), (int) SoftDevice.MAX_MESSAGE);
        Memory.putShort(attr + ibv_port_attr.pkey_tbl_len$offset(), SoftDevice.PKEY_TABLE_LENGTH);
        Memory.putShort(attr + ibv_port_attr.lid$offset(), device.lid());
        Memory.putShort(attr + ibv_port_attr.sm_lid$offset(), device.isInfiniband() ? 1 : 0);
        Memory.putByte(attr + ibv_port_attr.max_vl_num$offset(), 1);
        Memory.putByte(attr + ibv_port_attr.active_width$offset(), ACTIVE_WIDTH_4X);
        Memory.putByte(attr + ibv_port_attr.active_speed$offset(), ACTIVE_SPEED_EDR);
        Memory.putByte(attr + ibv_port_attr.phys_state$offset(), up ? PHYSICAL_LINK_UP : PHYSICAL_DISABLED);
        Memory.putByte(
                attr + ibv_port_attr.link_layer$offset(),
                device.isInfiniband() ? Ibv.IBV_LINK_LAYER_INFINIBAND : Ibv.IBV_LINK_LAYER_ETHERNET);
        return 0;
    }

    private static void requirePort(int port) {
        VerbError.require(port == 1);
    }

    static int ibv_query_gid(long context, byte port, int index, long gid) {
        SoftDevice device = device(context, "ibv_query_gid");
        requirePort(port);
        VerbError.require(index >= 0 && index < SoftDevice.GID_TABLE_LENGTH);
        device.gid(index).write(gid);
        return 0;
    }

    static int _ibv_query_gid_ex(long context, int port, int index, long entry, int flags, long entryBytes) {
        SoftDevice device = device(context, "ibv_query_gid");
        requirePort(port);
        VerbError.require(index >= 0 && index < SoftDevice.GID_TABLE_LENGTH && flags == 0);
        VerbError.require(entryBytes >= ibv_gid_entry.layout().byteSize());
        if (device.gid(index).equals(Gid.NONE)) {
            throw new VerbError(Ibv.ENODATA);
        }
        writeGid(device, index, entry);
        return 0;
    }

    private static void writeGid(SoftDevice device, int index, long entry) {
        device.gid(index).write(entry + ibv_gid_entry.gid$offset());
        Memory.putInt(entry + ibv_gid_entry.gid_index$offset(), index);
        Memory.putInt(entry + ibv_gid_entry.port_num$offset(), 1);
        Memory.putInt(
                entry + ibv_gid_entry.gid_type$offset(),
                device.isInfiniband() ? Ibv.IBV_GID_TYPE_IB : Ibv.IBV_GID_TYPE_ROCE_V2);
        Memory.putInt(entry + ibv_gid_entry.ndev_ifindex$offset(), device.isInfiniband() ? 0 : device.interfaceIndex());
    }

    /** Returns how many entries were written, or the negative error number. */
    static long _ibv_query_gid_table(long context, long entries, long room, int flags, long entryBytes) {
        try {
            SoftDevice device = device(context, "ibv_query_gid");
            VerbError.require(flags == 0 && entryBytes >= ibv_gid_entry.layout().byteSize());
            long count = 0;
            for (int i = 0; i < SoftDevice.GID_TABLE_LENGTH; i++) {
                if (!device.gid(i).equals(Gid.NONE)) {
                    VerbError.require(count < room);
                    writeGid(device, i, entries + count++ * entryBytes);
                }
            }
            return count;
        } catch (VerbError error) {
            return -error.errno();
        }
    }

    static int ibv_query_pkey(long context, byte port, int index, long pkey) {
        device(context, "ibv_query_pkey");
        requirePort(port);
        VerbError.require(index >= 0 && index < SoftDevice.PKEY_TABLE_LENGTH);
        Memory.putShort(pkey, DEFAULT_PKEY);
        return 0;
    }

    static int ibv_get_pkey_index(long context, byte port, short pkey) {
        device(context, "ibv_query_pkey");
        requirePort(port);
        VerbError.require(pkey == (short) DEFAULT_PKEY);
        return 0;
    }
}
