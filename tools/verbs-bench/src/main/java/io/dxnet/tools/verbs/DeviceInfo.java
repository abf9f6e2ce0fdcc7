package io.dxnet.tools.verbs;

import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.DeviceAttributes;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.PortAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** A device in words. */
public final class DeviceInfo {
    private static final Path SYSFS = Path.of("/sys/class/infiniband");

    private DeviceInfo() {}

    /**
     * Describes an open device and the port in use.
     *
     * @param context the device
     * @param gid the port's GID in use
     * @return names and values for a report
     */
    public static Map<String, Object> of(Context context, GidEntry gid) {
        DeviceAttributes attributes = context.attributes();
        PortAttributes port = context.port(gid.port());
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", context.device().name());
        info.put("provider", context.device().provider());
        info.put("driver", driver(context.device().name()));
        info.put("firmware", attributes.firmware().isEmpty() ? null : attributes.firmware());
        info.put("library", libraryFile());
        info.put("port", gid.port());
        info.put("linkLayer", port.linkLayer().name());
        info.put("mtu", port.activeMtu().bytes());
        info.put("gid", gid.gid().toString());
        info.put("gidIndex", gid.index());
        return info;
    }

    /**
     * Writes a description in one line.
     *
     * @param info of {@link #of}
     * @return text
     */
    public static String line(Map<?, ?> info) {
        StringBuilder line = new StringBuilder();
        info.forEach((key, value) -> {
            if (value != null) {
                line.append(line.isEmpty() ? "" : ", ")
                        .append(key.equals("name") ? "" : key + " ")
                        .append(value);
            }
        });
        return line.toString();
    }

    /**
     * Returns whether the kernel knows the device.
     *
     * @param device its name
     * @return false for software devices inside this JVM
     */
    public static boolean isReal(String device) {
        return Files.isDirectory(SYSFS.resolve(device));
    }

    private static String driver(String device) {
        Path folder = SYSFS.resolve(device);
        if (!isReal(device)) {
            return "none: inside this JVM";
        }
        try {
            if (Files.exists(folder.resolve("parent"))) {
                return "rdma_rxe over "
                        + Files.readString(folder.resolve("parent")).strip();
            }
            return folder.resolve("device/driver").toRealPath().getFileName().toString();
        } catch (IOException e) {
            return null;
        }
    }

    /** The library's file carries rdma-core's version: {@code libibverbs.so.1.14.44.0}. */
    private static String libraryFile() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("/libibverbs.so"))
                    .map(line -> line.substring(line.lastIndexOf('/') + 1))
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }
}
