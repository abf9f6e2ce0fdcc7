package io.dxnet.transport.ib;

import io.dxnet.ConfigurationException;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.DeviceAttributes;
import io.dxnet.ibverbs.GidChoice;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.Mtu;
import io.dxnet.ibverbs.PortState;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.VerbsUnavailableException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.StringJoiner;

/**
 * The device that a node uses: chosen, opened, its limits compared with the options. Any thread.
 */
final class IbDevice implements AutoCloseable {
    /** What the provider of real devices is called. */
    private static final String REAL = "libibverbs";

    private final Context context;
    private final ProtectionDomain domain;
    private final DeviceAttributes limits;
    private final int port;
    private final GidEntry gid;
    private final Mtu mtu;
    private final InetAddress address; // null: this node's is not the device's
    private final Map<Long, MemoryRegion> rings = new HashMap<>(); // by address; under the monitor

    private IbDevice(Context context, IbOptions options, InetAddress local) {
        this.context = context;
        this.limits = context.attributes();
        this.port = choosePort(context, options);
        this.gid = chooseGid(context, port, options, local);
        int active = context.port(port).activeMtu().bytes();
        this.mtu = ofBytes(options.mtu() == 0 ? active : Math.min(options.mtu(), active));
        this.address = isAt(context, port, local) ? local : null;
        this.domain = context.allocateProtectionDomain();
    }

    /**
     * Opens it.
     *
     * @param local the address of this node, to choose a port's GID by; null: not known
     * @throws ConfigurationException when there is none, or its limits are
     *     too small, naming limit and key
     */
    static IbDevice open(IbOptions options, InetAddress local) {
        try {
            Device device = options.device() != null ? Device.named(options.device()) : firstUsable(local);
            Context context = device.open();
            try {
                IbDevice opened = new IbDevice(context, options, local);
                opened.checkLimits(options);
                return opened;
            } catch (RuntimeException e) {
                context.close();
                throw e;
            }
        } catch (VerbsUnavailableException | VerbsException e) {
            throw new ConfigurationException("transport=ib: " + e.getMessage(), e);
        }
    }

    /**
     * The real device that has the address, where there are several; else
     * the first with an active port.
     *
     * @param local this node's address; null: not known
     * @throws VerbsUnavailableException when there is none
     */
    static Device firstUsable(InetAddress local) {
        StringJoiner seen = new StringJoiner(", ");
        Device first = null;
        for (Device device : Device.list()) {
            if (!device.provider().equals(REAL)) {
                continue;
            }
            seen.add(device.name());
            try (Context context = device.open()) {
                int port = firstActivePort(context);
                if (port > 0 && isAt(context, port, local)) {
                    return device;
                }
                first = port > 0 && first == null ? device : first;
            } catch (VerbsException e) {
                seen.add("(" + e.getMessage() + ")");
            }
        }
        if (first != null) {
            return first;
        }
        throw new VerbsUnavailableException(
                VerbsUnavailableException.Cause.NO_DEVICE,
                seen.length() == 0
                        ? "no RDMA device on this machine (for Soft-RoCE: rdma link add rxe0 type rxe netdev IFACE)"
                        : "no active port on " + seen,
                null);
    }

    private static boolean isAt(Context context, int port, InetAddress local) {
        try {
            return local != null && GidChoice.of(context.gids(port), local) != null;
        } catch (NoSuchElementException e) {
            return false;
        }
    }

    private static int firstActivePort(Context context) {
        for (int port = 1; port <= context.attributes().ports(); port++) {
            if (context.port(port).state() == PortState.ACTIVE) {
                return port;
            }
        }
        return 0;
    }

    private static int choosePort(Context context, IbOptions options) {
        if (options.port() > context.attributes().ports()) {
            throw new ConfigurationException("ib.port=" + options.port() + ": "
                    + context.device().name() + " has " + context.attributes().ports() + " ports");
        }
        int port = options.port() > 0 ? options.port() : firstActivePort(context);
        if (port == 0) {
            throw new ConfigurationException("no port of " + context.device().name()
                    + " is active: is the cable or the network interface up? (ib.port, ib.device)");
        }
        return port;
    }

    private static GidEntry chooseGid(Context context, int port, IbOptions options, InetAddress local) {
        List<GidEntry> gids = context.gids(port);
        if (options.gidIndex() >= 0) {
            return gids.stream()
                    .filter(entry -> entry.index() == options.gidIndex())
                    .findFirst()
                    .orElseThrow(() -> new ConfigurationException("ib.gidIndex=" + options.gidIndex()
                            + ": that entry of port " + port + " is empty; filled are "
                            + gids.stream().map(GidEntry::index).toList()));
        }
        if (local != null && !local.isLoopbackAddress() && !local.isAnyLocalAddress()) {
            try {
                return GidChoice.of(gids, local);
            } catch (NoSuchElementException e) {
                // The control channel's network is not the device's: then by type alone.
            }
        }
        try {
            return GidChoice.best(gids);
        } catch (NoSuchElementException e) {
            throw new ConfigurationException(
                    "port " + port + " of " + context.device().name() + ": " + e.getMessage());
        }
    }

    private static Mtu ofBytes(int bytes) {
        Mtu result = Mtu.MTU_256;
        for (Mtu each : Mtu.values()) {
            if (each.bytes() <= bytes) {
                result = each;
            }
        }
        return result;
    }

    private void checkLimits(IbOptions options) {
        check("ib.sendQueueRequests", options.sendQueueRequests(), "max_qp_wr", limits.maxWorkRequests());
        check(
                "ib.sharedReceiveRequests",
                options.sharedReceiveRequests(),
                "max_srq_wr",
                limits.maxSharedReceiveRequests());
        check("ib.sharedReceiveRequests", options.sharedReceiveRequests() + 64L, "max_cqe", limits.maxCompletions());
        check("ib.receiveSges", options.receiveSges(), "max_srq_sge", limits.maxSharedReceiveSge());
        check("ib.receivePoolBytes", options.receivePoolBytes(), "max_mr_size", limits.maxMemoryRegionBytes());
        check("ib.sendEndpoints", options.sendEndpoints() + 1L, "max_cq", limits.maxCompletionQueues());
    }

    private void check(String key, long wanted, String limit, long most) {
        if (wanted > most) {
            throw new ConfigurationException(key + " needs " + wanted + ", but "
                    + context.device().name() + " has " + limit + " = " + most + ": set it lower");
        }
    }

    Context context() {
        return context;
    }

    /** Whether its memory is pinned by the kernel. */
    boolean isReal() {
        return context.device().provider().equals(REAL);
    }

    ProtectionDomain domain() {
        return domain;
    }

    DeviceAttributes limits() {
        return limits;
    }

    /**
     * This node's address, where it is the device's too: control channels
     * from it have the device's link.
     */
    InetAddress address() {
        return address;
    }

    GidEntry gid() {
        return gid;
    }

    Mtu mtu() {
        return mtu;
    }

    /** How a queue pair to another node is set up. */
    ConnectOptions connectOptions(IbOptions options, int peerMtuBytes) {
        return new ConnectOptions()
                .mtu(ofBytes(Math.min(mtu.bytes(), Math.max(peerMtuBytes, Mtu.MTU_256.bytes()))))
                .timeout(options.ackTimeout())
                .retryCount(options.retryCount())
                .minRnrTimer(options.minRnrTimer())
                .serviceLevel(options.serviceLevel())
                .trafficClass(options.trafficClass())
                .access();
    }

    /**
     * The region of a ring's memory. It stays registered for the rings that will use the same
     * memory later: registering costs milliseconds for each megabyte.
     */
    synchronized MemoryRegion ring(MemorySegment memory) {
        return rings.computeIfAbsent(memory.address(), address -> domain.register(memory));
    }

    @Override
    public void close() {
        context.close();
    }

    String describe() {
        return context.device().name() + " port " + port + ", GID " + gid.index() + " " + gid.gid() + " (" + gid.type()
                + "), MTU " + mtu.bytes();
    }
}
