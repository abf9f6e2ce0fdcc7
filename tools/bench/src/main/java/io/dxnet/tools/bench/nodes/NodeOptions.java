package io.dxnet.tools.bench.nodes;

import io.dxnet.ConfigKey;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.tools.cli.OptionFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of every command that starts nodes. */
public final class NodeOptions {
    private static final String PREFIX = "dxnet.";

    @Option(
            names = "--transport",
            paramLabel = "NAMES",
            description = "loopback (all nodes in this process), nio (TCP), shm (shared memory of one host), "
                    + "ib (InfiniBand, RoCE), auto (the best that is "
                    + "available), all, or a list loopback,nio; default ${DEFAULT-VALUE}",
            defaultValue = Transports.AUTO)
    private String transport = Transports.AUTO;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description =
                    "the device of transport ib (its option ib.device); soft0 connects the nodes of one process, so all "
                            + "nodes are in this one then; soft: processes with a software device each, at 127.0.0.2, "
                            + "127.0.0.3, ...")
    private String device;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "an option of a transport, with its prefix: --option nio.socketBufferBytes=1M; may be repeated")
    private Map<String, String> transportOptions = new LinkedHashMap<>();

    @Option(names = "--config", paramLabel = "FILE", description = "DXNet's configuration, a properties file")
    private Path config;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "a value of DXNet's configuration: -D ringBytes=4M or -Ddxnet.ringBytes=4M")
    private Map<String, String> overrides = new LinkedHashMap<>();

    /** As if no option was given. */
    public NodeOptions() {}

    /**
     * Returns the value of {@code --transport}.
     *
     * @return one name or a list, not resolved
     */
    public String transport() {
        return transport;
    }

    /**
     * DXNet's configuration: file, then system properties, then
     * {@code -D}, then the options with names of their own.
     *
     * @param transportName {@link Transports#AUTO} leaves the value of file and properties
     * @param clusterName of the nodes that belong together; null: as configured
     * @return to be completed
     * @throws IllegalArgumentException when an option is wrong
     */
    public DXNetConfig.Builder configuration(String transportName, String clusterName) {
        DXNetConfig.Builder builder = DXNetConfig.builder();
        OptionFiles.requireReadable("--config", config);
        if (config != null) {
            builder.load(config);
        }
        builder.systemProperties();
        overrides.forEach(
                (key, value) -> builder.set(key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key, value));
        transportOptions.forEach((key, value) -> {
            if (key.indexOf('.') <= 0) {
                throw new IllegalArgumentException(
                        "--option " + key + "=" + value + ": a transport's option has its prefix: nio.key=value");
            }
            builder.transportOption(key, value);
        });
        if (device != null) {
            builder.transportOption(Transports.IB_DEVICE, device);
        }
        if (clusterName != null) {
            builder.clusterName(clusterName);
        }
        if (!transportName.equals(Transports.AUTO)) {
            builder.transport(transportName);
        }
        return builder;
    }

    /**
     * Lets nodes at addresses of this machine, which the user chose, listen beyond loopback, unless
     * the configuration states how they know each other.
     */
    public void allowAnyAddress() {
        if (configuration(Transports.AUTO, null).build().security() == SecurityMode.LOCAL) {
            overrides.put(ConfigKey.SECURITY.key(), ConfigKey.SECURITY.text(SecurityMode.NONE));
        }
    }

    /**
     * Sets values as {@code -D} does.
     *
     * @param settings keys and values
     */
    public void set(Map<ConfigKey, String> settings) {
        settings.forEach((key, value) -> overrides.put(key.key(), value));
    }

    /**
     * The same options for a process that is another node.
     *
     * @param transportName resolved
     * @param clusterName of the nodes that belong together
     * @return arguments
     */
    public List<String> arguments(String transportName, String clusterName) {
        List<String> arguments = new ArrayList<>(List.of("--transport", transportName));
        if (config != null) {
            arguments.addAll(List.of("--config", config.toAbsolutePath().toString()));
        }
        if (device != null) {
            arguments.addAll(List.of("--device", device));
        }
        transportOptions.forEach((key, value) -> arguments.add("--option=" + key + "=" + value));
        overrides.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        arguments.add("-DclusterName=" + clusterName);
        return arguments;
    }
}
