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

    /** The IPv4 address of a device on the wire, 0 of the others. */
    private final int address;

    private final long struct;
    private final SoftFaults faults = new SoftFaults(this);

    /** Contexts that are open, changed under the control lock. */
    private final CopyOnWriteArrayList<SoftContext> contexts = new CopyOnWriteArrayList<>();

    /** Whether the port carries traffic; written by {@link SoftFaults}, on any thread. */
    private volatile boolean portUp = true;

    /** Of its interface, 0 before it was asked for; any thread. */
    private volatile int mtuCode;

    /** The socket of a device on the wire while it is open; written under the control lock. */
    private volatile WireEndpoint endpoint;

    /** Whether the device was pulled out. */
    private volatile boolean removed;

    SoftDevice(String name, int number, boolean infiniband, boolean idle) {
        this(
                name,
                number,
                infiniband,
                idle,
                0x02_50_46_ff_fe_00_00_00L + ((infiniband ? 1 : 0) << 16) + number + 1,
                infiniband ? null : Gid.ofIpv4(ipv4(number)),
                0);
    }

    /** A device on the wire, at an IPv4 address of this machine. */
    SoftDevice(String name, int address) {
        this(
                name,
                address & 0xff,
                false,
                false,
                0x02_50_ff_fe_00_00_00_00L | Integer.toUnsignedLong(address),
                Gid.ofIpv4(address),
                address);
    }

    private SoftDevice(String name, int number, boolean infiniband, boolean idle, long guid, Gid second, int address) {
        this.name = name;
        this.address = address;
        this.number = number;
        this.infiniband = infiniband;
        this.idle = idle;
        this.guid = guid;
        Gid linkLocal = Gid.linkLocal(guid);
        this.gids = second == null ? new Gid[] {linkLocal} : new Gid[] {linkLocal, second};
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

    /** Whether its peers are reached through the network. */
    boolean isWire() {
        return address != 0;
    }

    int address() {
        return address;
    }

    /** The socket of a device on the wire that is open, else null. Any thread. */
    WireEndpoint endpoint() {
        return endpoint;
    }

    /** Called when a context is opened, under the control lock. */
    void openWire() {
        if (isWire() && endpoint == null) {
            endpoint = WireEndpoint.open(this);
        }
    }

    /** Called when a context was closed, under the control lock: the last one closes the socket. */
    void closeWire() {
        if (endpoint != null && contexts.isEmpty()) {
            endpoint.close();
            endpoint = null;
        }
    }

    /** The code of the largest payload that fits into the packets of its interface. */
    int activeMtu() {
        if (isWire() && mtuCode == 0) {
            mtuCode = WireAddress.mtuCode(address);
        }
        return isWire() ? mtuCode : Ibv.IBV_MTU_4096;
    }

    int interfaceIndex() {
        return isWire() ? WireAddress.interfaceIndex(address) : LOOPBACK_INDEX;
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
