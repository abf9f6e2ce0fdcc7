package io.dxnet.tools.bench.nodes;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.transport.TransportProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The transports that are on the module path. */
public final class Transports {
    /** The best that connects processes and lets a node start. */
    public static final String AUTO = "auto";

    /** Every one that can run here. */
    public static final String ALL = "all";

    /** All nodes in one process. */
    public static final String LOOPBACK = "loopback";

    /** InfiniBand and RoCE. */
    public static final String IB = "ib";

    /** The option of {@link #IB} that names its device. */
    public static final String IB_DEVICE = "ib.device";

    private static final String SOFTWARE_DEVICE = "soft";

    /** A software device that reaches other processes, by its address. */
    private static final String SOFTWARE_DEVICE_AT = "soft@";

    private static final String FIRST_OF_THIS_MACHINE = "127.0.0.2";
    private static final String THIS_MACHINE = "127.";

    private Transports() {}

    /**
     * Whether all nodes have to be in one process: loopback, and software
     * devices without an address, which connect nothing else.
     *
     * @param config of a node, its transport resolved
     * @return false where nodes can be in processes of their own
     */
    public static boolean inOneProcess(DXNetConfig config) {
        return switch (config.transport()) {
            case LOOPBACK -> true;
            case IB -> {
                String device = config.transportOptions().getOrDefault(IB_DEVICE, "");
                yield onSoftwareDevice(config)
                        && !device.equals(SOFTWARE_DEVICE)
                        && !device.startsWith(SOFTWARE_DEVICE_AT);
            }
            default -> false;
        };
    }

    /**
     * Whether the device is software, whose faults can be switched on.
     *
     * @param config of a node, its transport resolved
     * @return false for other transports too
     */
    public static boolean onSoftwareDevice(DXNetConfig config) {
        return config.transport().equals(IB)
                && config.transportOptions().getOrDefault(IB_DEVICE, "").startsWith(SOFTWARE_DEVICE);
    }

    /**
     * The configuration of one of several nodes on this machine, each of which has a software
     * device at an address of its own. Device {@code soft} is {@code soft@127.0.0.2} for node 0,
     * {@code soft@127.0.0.3} for node 1 and so on; so is a device at another loopback address.
     *
     * @param config of all nodes
     * @param nodeId which node
     * @return the same where the device is another
     */
    public static DXNetConfig onOwnDevice(DXNetConfig config, int nodeId) {
        String device = config.transportOptions().getOrDefault(IB_DEVICE, "");
        String address = device.equals(SOFTWARE_DEVICE) ? FIRST_OF_THIS_MACHINE : "";
        if (device.startsWith(SOFTWARE_DEVICE_AT + THIS_MACHINE)) {
            address = device.substring(SOFTWARE_DEVICE_AT.length());
        }
        int last = address.lastIndexOf('.') + 1;
        if (last == 0 || !address.substring(last).matches("[0-9]{1,3}")) {
            return config;
        }
        String own = address.substring(0, last) + (Integer.parseInt(address.substring(last)) + nodeId);
        return config.toBuilder()
                .transportOption(IB_DEVICE, SOFTWARE_DEVICE_AT + own)
                .build();
    }

    /**
     * The transports of a list.
     *
     * @param text one name, several with commas, or {@link #ALL}
     * @param configuration of a node with a transport
     * @return in the order of the list, each once
     * @throws ToolException when one of them can't run here
     */
    public static List<String> resolveAll(String text, Function<String, DXNetConfig> configuration) {
        List<String> names = new ArrayList<>();
        if (text.equals(ALL)) {
            names.add(LOOPBACK);
            for (TransportProvider provider : providers()) {
                String name = provider.name();
                if (!names.contains(name)
                        && provider.unavailabilityCause(configuration.apply(name))
                                .isEmpty()) {
                    names.add(name);
                }
            }
            return names;
        }
        for (String part : text.split(",")) {
            String name = resolve(configuration.apply(part.strip()));
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /**
     * The transport that will be used; {@link #AUTO} is the best one that
     * connects processes, else loopback.
     *
     * @param config of a node
     * @return its name
     * @throws ToolException when it can't run here
     */
    public static String resolve(DXNetConfig config) {
        List<TransportProvider> providers = providers();
        String wanted = config.transport();
        if (wanted.equals(AUTO)) {
            return best(providers, config);
        }
        TreeMap<String, TransportProvider> byName = new TreeMap<>();
        providers.forEach(provider -> byName.put(provider.name(), provider));
        TransportProvider provider = byName.get(wanted);
        if (provider == null) {
            if (wanted.equals(LOOPBACK)) {
                return LOOPBACK; // it is the engine's own and may not be a provider
            }
            TreeSet<String> names = new TreeSet<>(byName.keySet());
            names.add(LOOPBACK);
            throw new ToolException("there is no transport '" + wanted + "'; there are: " + String.join(", ", names));
        }
        Optional<String> cause = provider.unavailabilityCause(onOwnDevice(config, 0));
        if (cause.isPresent()) {
            throw new ToolException("transport " + wanted + " can't run here: " + cause.get());
        }
        return wanted;
    }

    /** The highest preference with which a node starts; the last one is not tried. */
    private static String best(List<TransportProvider> providers, DXNetConfig config) {
        List<String> names = providers.stream()
                .filter(provider -> provider.preference() >= 0)
                .filter(provider -> provider.unavailabilityCause(config).isEmpty())
                .sorted(Comparator.comparingInt(TransportProvider::preference).reversed())
                .map(TransportProvider::name)
                .toList();
        for (String name : names) {
            if (name.equals(names.getLast()) || starts(name, config)) {
                return name;
            }
        }
        return LOOPBACK;
    }

    private static boolean starts(String name, DXNetConfig config) {
        NodeMap alone = new NodeMap(0).put(0, "127.0.0.1:0");
        try (DXNet _ = new DXNet(config.toBuilder().transport(name).build(), alone)) {
            return true;
        } catch (ConfigurationException e) {
            System.err.println("bench: not transport " + name + ": " + e.getMessage());
            return false;
        }
    }

    private static List<TransportProvider> providers() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TransportProvider::name))
                .toList();
    }
}
