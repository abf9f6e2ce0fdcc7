package io.dxnet.tools.verbs;

import picocli.CommandLine.Option;

/** Which devices are used: the options that both benchmarks have. */
public final class DeviceOptions {
    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "verbs device: soft0 (inside this JVM), rxe1, mlx5_0 ...; default ${DEFAULT-VALUE}",
            defaultValue = "soft0")
    private String device;

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "the other side's device on this machine; default soft1 for soft0, else the same device")
    private String peer;

    @Option(names = "--port", paramLabel = "N", description = "the devices' port; default 1", defaultValue = "1")
    private int port;

    @Option(
            names = "--gid-index",
            paramLabel = "N",
            description = "entry of the GID tables; default: chosen by type and address",
            defaultValue = "-1")
    private int gidIndex;

    /** Made by picocli. */
    public DeviceOptions() {}

    /**
     * Returns this side's port.
     *
     * @return as the options specify
     */
    public Port port() {
        return new Port(device, port, gidIndex);
    }

    /**
     * Returns the other side's port on this machine.
     *
     * @return as the options specify; {@code soft1} where the
     *     device is {@code soft0} and no peer is named
     */
    public Port peerPort() {
        String name = peer != null ? peer : device.equals("soft0") ? "soft1" : device;
        return new Port(name, port, gidIndex);
    }
}
