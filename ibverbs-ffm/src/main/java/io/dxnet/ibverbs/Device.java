package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_device;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * An RDMA device of this machine, not yet open ({@code struct ibv_device};
 * {@code man ibv_get_device_list}). Immutable; it may be gone when it is opened.
 */
public final class Device {
    /** Longer than any name or path of {@code ibv_device}. */
    private static final int NAME_BYTES = 64;

    private final Library library;
    private final String name;
    private final long guid;

    private Device(Library library, String name, long guid) {
        this.library = library;
        this.name = name;
        this.guid = guid;
    }

    /**
     * Lists the devices of all providers. A provider that does not work here contributes none.
     *
     * @return the devices, libibverbs' last
     * @throws VerbsUnavailableException if no provider works; the message states why and what to do
     */
    public static List<Device> list() {
        List<Device> devices = new ArrayList<>();
        VerbsUnavailableException failure = null;
        boolean works = false;
        for (VerbsProvider provider : Providers.all()) {
            try {
                devices.addAll(list(Providers.library(provider)));
                works = true;
            } catch (VerbsUnavailableException e) {
                failure = e;
            }
        }
        if (!works && failure != null) {
            throw failure;
        }
        return List.copyOf(devices);
    }

    /**
     * Finds a device by name.
     *
     * @param name its name, for instance {@code mlx5_0}, {@code rxe0} or {@code soft0}
     * @return the device
     * @throws VerbsUnavailableException if there is no such device, with its name; the message
     *     lists those there are, or states why the provider does not work
     */
    public static Device named(String name) {
        VerbsProvider provider = Providers.of(name);
        List<Device> devices;
        try {
            devices = list(Providers.library(provider));
        } catch (VerbsUnavailableException e) {
            throw new VerbsUnavailableException(e.kind(), "no RDMA device '" + name + "': " + e.getMessage(), e);
        }
        for (Device device : devices) {
            if (device.name.equals(name)) {
                return device;
            }
        }
        List<String> names = devices.stream().map(Device::name).toList();
        throw new VerbsUnavailableException(
                VerbsUnavailableException.Cause.NO_DEVICE,
                "no RDMA device '" + name + "': " + provider.name() + " has "
                        + (names.isEmpty()
                                ? "none (is the driver loaded? `rdma link` lists what the kernel has; a container needs"
                                        + " --device /dev/infiniband; for Soft-RoCE: rdma link add rxe0 type rxe netdev IFACE)"
                                : names.toString()),
                null);
    }

    static List<Device> list(Library library) {
        return withList(library, pointers -> {
            List<Device> devices = new ArrayList<>();
            for (long pointer : pointers) {
                long guid = Long.reverseBytes(library.getDeviceGuid.call(pointer));
                devices.add(new Device(library, nameOf(library, pointer), guid));
            }
            return devices;
        });
    }

    private static String nameOf(Library library, long pointer) {
        String name = Memory.string(library.getDeviceName.call(pointer), NAME_BYTES);
        String field = Memory.string(pointer + ibv_device.name$offset(), NAME_BYTES);
        if (!name.equals(field)) {
            throw Context.incompatible(
                    "ibv_device.name reads '" + field + "' where the library reports '" + name + "'");
        }
        return name;
    }

    /** Gets the list, and frees it afterwards: opened devices stay valid. */
    private static <T> T withList(Library library, Function<long[], T> body) {
        long list;
        try {
            list = library.getDeviceList.pointer(
                    errno ->
                            "the kernel has no RDMA support loaded (modprobe ib_uverbs), or /dev/infiniband cannot be read",
                    0L);
        } catch (VerbsException e) {
            throw new VerbsUnavailableException(VerbsUnavailableException.Cause.NO_DEVICE, e.getMessage(), e);
        }
        try {
            int count = 0;
            while (Memory.getLong(list + 8L * count) != 0) {
                count++;
            }
            long[] pointers = new long[count];
            for (int i = 0; i < count; i++) {
                pointers[i] = Memory.getLong(list + 8L * i);
            }
            return body.apply(pointers);
        } finally {
            library.freeDeviceList.call(list);
        }
    }

    /**
     * Opens the device ({@code man ibv_open_device}).
     *
     * @return its context, to be closed by the caller
     * @throws VerbsException if the device cannot be opened
     * @throws VerbsUnavailableException if the device is gone, or the loaded library has another
     *     layout than this binding, or this JVM closes shared arenas without waiting for other
     *     threads ({@link VerbsUnavailableException.Cause#UNSUPPORTED_JVM})
     */
    public Context open() {
        HandshakeCheck.require();
        return withList(library, pointers -> {
            for (long pointer : pointers) {
                if (nameOf(library, pointer).equals(name)) {
                    long context = library.openDevice.pointer(
                            errno -> "opening " + name + " (may this user open /dev/infiniband/uverbs*?)", pointer);
                    return Context.opened(this, library, pointer, context);
                }
            }
            throw new VerbsUnavailableException(
                    VerbsUnavailableException.Cause.NO_DEVICE, "the RDMA device '" + name + "' is gone", null);
        });
    }

    /**
     * Returns the name.
     *
     * @return for instance {@code mlx5_0}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the node's GUID ({@code man ibv_get_device_guid}).
     *
     * @return the GUID, in the order in which it is written
     */
    public long guid() {
        return guid;
    }

    /**
     * Names where the device's verbs come from.
     *
     * @return the provider's name, for instance {@code libibverbs}
     */
    public String provider() {
        return library.provider().name();
    }

    @Override
    public String toString() {
        return name + " (" + provider() + ")";
    }
}
