package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_gid;
import io.dxnet.ibverbs.raw.ibv_gid_entry;
import io.dxnet.ibverbs.raw.verbs_context;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open device ({@code struct ibv_context}; {@code man ibv_open_device}): the root of all its
 * objects. Any thread may call. Closing it closes all of them.
 *
 * <p>It has more than 400 lines: one method for each verb of a device, with its documentation.
 */
public final class Context extends Resource {
    /**
     * Room for {@code ibv_port_attr} of any version: it grew from 52 to 56 bytes in rdma-core 50.
     */
    private static final long PORT_ATTR_BYTES = 64;

    private static final int MAX_GIDS_GUESS = 1024;
    private static final int MAX_PORT = 255;

    private final Device device;
    private final Library library;
    private final long address;
    private final DataPath dataPath;
    private final int completionVectors;
    private final AsyncEvents asyncEvents;
    /** Null before the first window; written by any thread that makes or closes one. */
    private volatile WindowCalls windowCalls;

    /** Native address to object, for events. */
    private final Map<Long, Resource> byAddress = new ConcurrentHashMap<>();

    private Context(Device device, Library library, long address) {
        this.device = device;
        this.library = library;
        this.address = address;
        this.dataPath = new DataPath(address, device.name(), library.provider(), library.calls());
        this.completionVectors = Memory.getInt(address + ibv_context.num_comp_vectors$offset());
        this.asyncEvents = new AsyncEvents(this, Memory.getInt(address + ibv_context.async_fd$offset()));
    }

    /**
     * Checks that the loaded library's structure is the one this
     * binding knows, before anything else is read from it.
     */
    static Context opened(Device device, Library library, long devicePointer, long address) {
        try {
            Abi.check(devicePointer, address);
            return new Context(device, library, address);
        } catch (Throwable e) {
            library.closeDevice.call(address);
            throw e;
        }
    }

    static VerbsUnavailableException incompatible(String what) {
        return new VerbsUnavailableException(
                VerbsUnavailableException.Cause.INCOMPATIBLE,
                what
                        + ": the loaded libibverbs has another layout than rdma-core's (17 to 65); nothing was sent or registered",
                null);
    }

    /**
     * Returns the device.
     *
     * @return what was opened
     */
    public Device device() {
        return device;
    }

    /**
     * Returns the number of completion vectors: the interrupt
     * lines that completion queues can be spread over.
     *
     * @return the number, at least 1
     */
    public int completionVectors() {
        return completionVectors;
    }

    /**
     * Asks for the device's limits ({@code man ibv_query_device}).
     *
     * @return the limits
     */
    public DeviceAttributes attributes() {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(io.dxnet.ibverbs.raw.ibv_device_attr.layout())
                    .address();
            library.queryDevice.status(errno -> "", address, attributes);
            return DeviceAttributes.read(attributes);
        } finally {
            exit();
        }
    }

    /**
     * Asks for a port's state ({@code man ibv_query_port}).
     *
     * @param port the port, from 1
     * @return its state and limits now
     * @throws VerbsException with {@code EINVAL} if there is no such port
     */
    public PortAttributes port(int port) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            checkPort(library.queryPort, port);
            long attributes = arena.allocate(PORT_ATTR_BYTES, 8).address();
            library.queryPort.status(errno -> noPort(port), address, port, attributes);
            return PortAttributes.read(attributes);
        } finally {
            exit();
        }
    }

    /** A port number has 8 bits in C: of a larger one, the call would answer for another port. */
    private void checkPort(NativeFunction verb, int port) {
        if (port < 1 || port > MAX_PORT) {
            throw verb.failure(verbs_h.EINVAL(), errno -> noPort(port));
        }
    }

    private String noPort(int port) {
        return device.name() + " has no port " + port + " (ports count from 1)";
    }

    /**
     * Reads a port's GID table ({@code man ibv_query_gid_table}).
     *
     * @param port the port, from 1
     * @return the filled entries, in the order of the table
     */
    public List<GidEntry> gids(int port) {
        int length = port(port).gidTableLength();
        enter();
        try (Arena arena = Arena.ofConfined()) {
            return library.queryGidTable != null ? gidTable(arena, port) : gidsOneByOne(arena, port, length);
        } finally {
            exit();
        }
    }

    private List<GidEntry> gidTable(Arena arena, int port) {
        int ports = attributes().ports();
        long capacity = (long) MAX_GIDS_GUESS * Math.max(1, ports);
        MemorySegment table = arena.allocate(ibv_gid_entry.layout(), capacity);
        long count = library.queryGidTable.call(address, table.address(), capacity, 0, ibv_gid_entry.sizeof());
        if (count < 0) {
            throw library.queryGidTable.failure((int) -count, errno -> "reading the GID table of " + device.name());
        }
        List<GidEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = table.address() + i * ibv_gid_entry.sizeof();
            GidEntry entry = new GidEntry(
                    readGid(at + ibv_gid_entry.gid$offset()),
                    Memory.getInt(at + ibv_gid_entry.gid_index$offset()),
                    Memory.getInt(at + ibv_gid_entry.port_num$offset()),
                    GidType.of(Memory.getInt(at + ibv_gid_entry.gid_type$offset())),
                    Memory.getInt(at + ibv_gid_entry.ndev_ifindex$offset()));
            if (entry.port() == port) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /**
     * Reads the GIDs where rdma-core is older than 32: it
     * reports no type, and an empty slot is a GID of zeros.
     */
    private List<GidEntry> gidsOneByOne(Arena arena, int port, int length) {
        List<GidEntry> entries = new ArrayList<>();
        long at = arena.allocate(ibv_gid.layout()).address();
        for (int index = 0; index < length; index++) {
            if (library.queryGid.errnoOf(address, port, index, at) == 0) {
                Gid gid = readGid(at);
                if (!gid.isZero()) {
                    entries.add(new GidEntry(gid, index, port, GidType.UNKNOWN, 0));
                }
            }
        }
        return entries;
    }

    private static Gid readGid(long at) {
        return new Gid(Memory.getLongBigEndian(at), Memory.getLongBigEndian(at + 8));
    }

    /**
     * Reads one entry of a port's GID table ({@code man ibv_query_gid}).
     *
     * @param port the port, from 1
     * @param index the entry, from 0
     * @return the GID, never zero
     * @throws VerbsException with {@code ENODATA} if the entry is
     *     empty, with another number if there is no such port or entry
     */
    public Gid gid(int port, int index) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            checkPort(library.queryGid, port);
            long at = arena.allocate(ibv_gid.layout()).address();
            library.queryGid.status(
                    errno -> "port " + port + " of " + device.name() + " has no GID " + index,
                    address,
                    port,
                    index,
                    at);
            Gid gid = readGid(at);
            if (gid.isZero()) {
                throw library.queryGid.failure(
                        verbs_h.ENODATA(), errno -> "GID " + index + " of port " + port + " is empty");
            }
            return gid;
        } finally {
            exit();
        }
    }

    /**
     * Chooses the GID to connect with: see {@link GidChoice#best}.
     *
     * @param port the port, from 1
     * @return the entry that reaches furthest
     * @throws NoSuchElementException if the table is empty
     */
    public GidEntry chooseGid(int port) {
        return GidChoice.best(gids(port));
    }

    /**
     * Finds the GID of one of the port's addresses: see {@link GidChoice#of}.
     *
     * @param port the port, from 1
     * @param local an address of the port's network interface
     * @return its entry
     * @throws NoSuchElementException if the port does not have the address
     */
    public GidEntry chooseGid(int port, InetAddress local) {
        return GidChoice.of(gids(port), local);
    }

    /**
     * Reads an entry of a port's partition table ({@code man ibv_query_pkey}).
     *
     * @param port the port, from 1
     * @param index the entry, from 0
     * @return the partition key
     * @throws VerbsException if there is no such port or entry
     */
    public int pkey(int port, int index) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            checkPort(library.queryPkey, port);
            long at = arena.allocate(2, 2).address();
            library.queryPkey.status(errno -> "port " + port + ", index " + index, address, port, index, at);
            return Short.toUnsignedInt(Short.reverseBytes(Memory.getShort(at)));
        } finally {
            exit();
        }
    }

    /**
     * Makes a protection domain: the keys of its memory regions are
     * valid for its queue pairs ({@code man ibv_alloc_pd}).
     *
     * @return the domain, to be closed by the caller
     */
    public ProtectionDomain allocateProtectionDomain() {
        return ProtectionDomain.allocate(this);
    }

    /**
     * Makes a thread domain: a promise that one thread at a time uses its objects, so that the
     * library needs no locks ({@code man ibv_alloc_td}).
     *
     * @return the domain, to be closed by the caller
     * @throws VerbsException with {@code EOPNOTSUPP} where the device does not offer it
     */
    public ThreadDomain allocateThreadDomain() {
        return ThreadDomain.allocate(this);
    }

    /**
     * Makes a channel on which completion queues announce
     * completions ({@code man ibv_create_comp_channel}).
     *
     * @return the channel, to be closed by the caller
     */
    public CompletionChannel createCompletionChannel() {
        return CompletionChannel.create(this);
    }

    /**
     * Makes a completion queue that is polled and never waited for ({@code man ibv_create_cq}).
     *
     * @param entries the completions it must hold at least: as many as all its queues can hold
     *     requests, because a queue pair in error completes each of them
     * @return the queue, to be closed by the caller
     */
    public CompletionQueue createCompletionQueue(int entries) {
        return createCompletionQueue(CompletionQueue.options(entries));
    }

    /**
     * Makes a completion queue ({@code man ibv_create_cq}, {@code man ibv_create_cq_ex}).
     *
     * @param options its size and its channel
     * @return the queue, to be closed by the caller
     */
    public CompletionQueue createCompletionQueue(CompletionQueue.Options options) {
        return CompletionQueue.create(this, options);
    }

    /**
     * Returns the device's asynchronous events.
     *
     * @return the events, the same object at every call; it ends with the context
     */
    public AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    long address() {
        return address;
    }

    Library library() {
        return library;
    }

    DataPath dataPath() {
        return dataPath;
    }

    WindowCalls windowCalls() {
        WindowCalls calls = windowCalls;
        if (calls == null) {
            calls = WindowCalls.of(this);
            windowCalls = calls;
        }
        return calls;
    }

    /**
     * An operation of {@code verbs_context}, null where this library or device does not have it.
     */
    NativeFunction operation(String name, long offset, FunctionDescriptor descriptor) {
        return library.operation(name, Abi.operation(address, offset), descriptor);
    }

    /** The failure of an operation that {@link #operation} did not find. */
    static VerbsException notOffered(String verb) {
        return new VerbsException(verb, verbs_h.EOPNOTSUPP(), "this device's driver does not offer it");
    }

    static long offsetInContext(long offsetInVerbsContext) {
        return offsetInVerbsContext - verbs_context.context$offset();
    }

    void remember(long nativeAddress, Resource resource) {
        byAddress.put(nativeAddress, resource);
    }

    void forget(long nativeAddress, Resource resource) {
        byAddress.remove(nativeAddress, resource);
    }

    Resource find(long nativeAddress) {
        return byAddress.get(nativeAddress);
    }

    @Override
    void wake() {
        asyncEvents.signal();
    }

    @Override
    void destroy() {
        library.closeDevice.status(errno -> "closing " + device.name(), address);
    }

    @Override
    void forget() {
        asyncEvents.destroy();
    }

    @Override
    public String toString() {
        return "context of " + device.name();
    }
}
