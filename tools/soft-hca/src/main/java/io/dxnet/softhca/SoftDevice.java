package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_device;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One device: its identity, its port, and its open contexts.
 * Lives until the JVM ends, like its {@code ibv_device}.
 */
final class SoftDevice {
    static final int GID_TABLE_LENGTH = 16;
    static final int PKEY_TABLE_LENGTH = 1;
    static final int COMPLETION_VECTORS = 4;
    static final int MAX_QUEUE_WRS = 1 << 15;
    static final int MAX_SGE = 32;
    static final int MAX_INLINE = 1024;
    static final int MAX_CQE = (1 << 22) - 1;
    static final int MAX_READS = 128;
    static final int MAX_DATAGRAM = 4096;
    static final long MAX_MESSAGE = 1L << 30;

    /**
     * The interface index of {@code lo}: the addresses in
     * the GIDs are those of the loopback network.
     */
    static final int LOOPBACK_INDEX = 1;

    private final String name;
    private final int number;
    private final boolean infiniband;

    /** Its hot verbs do nothing. */
    private final boolean idle;

    private final long guid;
    private final Gid[] gids;
    private final long struct;
    private final SoftFaults faults = new SoftFaults(this);

    /** Contexts that are open, changed under the control lock. */
    private final CopyOnWriteArrayList<SoftContext> contexts = new CopyOnWriteArrayList<>();

    /** Whether the port carries traffic; written by {@link SoftFaults}, on any thread. */
    private volatile boolean portUp = true;

    /** Whether the device was pulled out. */
    private volatile boolean removed;

    SoftDevice(String name, int number, boolean infiniband, boolean idle) {
        this.name = name;
        this.number = number;
        this.infiniband = infiniband;
        this.idle = idle;
        this.guid = 0x02_50_46_ff_fe_00_00_00L + ((infiniband ? 1 : 0) << 16) + number + 1;
        Gid linkLocal = Gid.linkLocal(guid);
        this.gids = infiniband ? new Gid[] {linkLocal} : new Gid[] {linkLocal, Gid.ofIpv4(ipv4(number))};
        this.struct = LibC.calloc(ibv_device.layout().byteSize());
        Memory.putInt(struct + ibv_device.node_type$offset(), Ibv.IBV_NODE_CA);
        Memory.putInt(struct + ibv_device.transport_type$offset(), Ibv.IBV_TRANSPORT_IB);
        Memory.putString(struct + ibv_device.name$offset(), name, 64);
        Memory.putString(struct + ibv_device.dev_name$offset(), "uverbs-" + name, 64);
        Memory.putString(struct + ibv_device.dev_path$offset(), "/sys/class/infiniband_verbs/uverbs-" + name, 256);
        Memory.putString(struct + ibv_device.ibdev_path$offset(), "/sys/class/infiniband/" + name, 256);
    }

    /** 127.77.0.1 and up. */
    private static int ipv4(int number) {
        return 0x7f4d_0001 + number;
    }

    String name() {
        return name;
    }

    int number() {
        return number;
    }

    boolean isInfiniband() {
        return infiniband;
    }

    boolean isIdle() {
        return idle;
    }

    /** The GUID in host byte order. */
    long guid() {
        return guid;
    }

    /** The address of its {@code ibv_device}. */
    long struct() {
        return struct;
    }

    SoftFaults faults() {
        return faults;
    }

    CopyOnWriteArrayList<SoftContext> contexts() {
        return contexts;
    }

    /** The GID at an index of the table, {@link Gid#NONE} where the entry is empty. */
    Gid gid(int index) {
        return index < gids.length ? gids[index] : Gid.NONE;
    }

    boolean hasGid(Gid gid) {
        for (Gid own : gids) {
            if (own.equals(gid)) {
                return true;
            }
        }
        return false;
    }

    /** The local identifier on InfiniBand, 0 on Ethernet. */
    int lid() {
        return infiniband ? number + 1 : 0;
    }

    boolean isPortUp() {
        return portUp && !removed;
    }

    boolean isRemoved() {
        return removed;
    }

    void setPortUp(boolean up) {
        portUp = up;
    }

    void setRemoved(boolean gone) {
        removed = gone;
    }
}
