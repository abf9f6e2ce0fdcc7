package io.dxnet.tools.ledger;

import io.dxnet.ConfigKey;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.ThreadingLayout;
import io.dxnet.tools.bench.keys.BenchKeys;
import io.dxnet.tools.bench.nodes.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** The options of a node's configuration, of all commands. */
class ConfigOptions {
    private static final String SOFTWARE_DEVICE = "soft0";
    private static final String CLUSTER = "ledger";
    /** The certificate names so many nodes, from node 0 on: more than {@code --nodes} may be. */
    private static final int NODES_WITH_KEYS = 64;

    private static final int[] RING_BYTES = {64 << 10, 256 << 10, 1 << 20};

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            required = true,
            description = "loopback, nio (TCP), shm (shared memory) or ib (InfiniBand, RoCE)")
    private String transport;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "the device of transport ib; default " + SOFTWARE_DEVICE + ", the software device")
    private String device;

    @Option(
            names = "--security",
            paramLabel = "MODE",
            description = "how nodes know each other, as DXNet's key security; key and tls make keys where -D names no"
                    + " keyFile or tlsKeyStore, tls for nodes 0 to 63; default ${DEFAULT-VALUE}",
            defaultValue = "none")
    private String security = "none";

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "a value of DXNet's configuration, also a transport's option: -D ringBytes=4M")
    private Map<String, String> overrides = new LinkedHashMap<>();

    final String transport() {
        return transport;
    }

    /** What {@code --device} names. */
    final Optional<String> namedDevice() {
        return Optional.ofNullable(device);
    }

    /** Empty where the nodes' addresses choose. */
    Optional<String> chosenDevice() {
        return Optional.of(device != null ? device : SOFTWARE_DEVICE);
    }

    /** What the device is called. */
    String device() {
        return chosenDevice().orElseThrow();
    }

    /** How nodes know each other. */
    final String security() {
        return security;
    }

    /**
     * Makes the keys of this ledger's nodes where {@code -D} names none; they are deleted at the
     * end. Certificates name the cluster, so that has one name in all runs.
     */
    private void makeKeys() {
        if (security.equalsIgnoreCase(SecurityMode.KEY.name())) {
            makeKeys(SecurityMode.KEY, ConfigKey.KEY_FILE);
        } else if (security.equalsIgnoreCase(SecurityMode.TLS.name())) {
            makeKeys(SecurityMode.TLS, ConfigKey.TLS_KEY_STORE);
        }
    }

    private void makeKeys(SecurityMode mode, ConfigKey place) {
        if (overrides.containsKey(place.key())) {
            return;
        }
        try {
            BenchKeys keys = BenchKeys.make(mode, CLUSTER, NODES_WITH_KEYS);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(keys)));
            keys.settings().forEach((key, value) -> overrides.put(key.key(), value));
            overrides.putIfAbsent(ConfigKey.CLUSTER_NAME.key(), CLUSTER);
        } catch (IOException e) {
            throw new UncheckedIOException("can't make the nodes' keys: " + e.getMessage(), e);
        }
    }

    private static void delete(BenchKeys keys) {
        try {
            keys.close();
        } catch (IOException e) {
            System.err.println("can't delete the nodes' keys: " + e.getMessage());
        }
    }

    final Map<String, String> overrides() {
        return overrides;
    }

    final boolean isInfiniBand() {
        return transport.equals(Transports.IB);
    }

    final boolean isLoopback() {
        return transport.equals(Transports.LOOPBACK);
    }

    /** The transport and, where there is one, its device. */
    final String wire() {
        return transport + (isInfiniBand() ? " on " + device() : "");
    }

    /**
     * A configuration with DXNet's defaults.
     *
     * @param settings other values than the defaults; {@code -D} wins over them
     */
    final DXNetConfig config(UnaryOperator<DXNetConfig.Builder> settings) {
        return build(settings.apply(plain()));
    }

    /**
     * A configuration of which threading layout, handlers and ring size follow from the
     * seed and the number of the run.
     */
    final DXNetConfig config(long seed, int run) {
        return build(builder(seed, random(seed, run)));
    }

    static Random random(long seed, int run) {
        return new Random(seed * 31 + run);
    }

    /** What all runs have in common, and what follows from random numbers; without {@code -D}. */
    final DXNetConfig.Builder builder(long seed, Random random) {
        boolean fused = random.nextBoolean();
        return plain().clusterName("ledger-" + seed)
                .threadingLayout(fused ? ThreadingLayout.FUSED : ThreadingLayout.DEDICATED)
                .handlers(1 + random.nextInt(3))
                .ringBytes(RING_BYTES[random.nextInt(RING_BYTES.length)])
                .incomingBytesMax(256L << 20)
                .smallBuffers(64)
                .mediumBuffers(16)
                .largeBuffers(4)
                .connectTimeoutMs(10_000)
                .sendTimeoutMs(20_000)
                .requestTimeoutMs(30_000)
                .closeTimeoutMs(10_000);
    }

    private DXNetConfig.Builder plain() {
        makeKeys();
        DXNetConfig.Builder builder =
                DXNetConfig.builder().transport(transport).set(ConfigKey.SECURITY.key(), security);
        if (isInfiniBand()) {
            chosenDevice().ifPresent(name -> builder.transportOption(Transports.IB_DEVICE, name));
        }
        return builder;
    }

    /** What the user chose with {@code -D} wins. */
    final DXNetConfig build(DXNetConfig.Builder builder) {
        overrides.forEach(builder::set);
        return builder.build();
    }
}
