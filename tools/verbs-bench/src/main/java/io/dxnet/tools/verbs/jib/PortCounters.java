package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.verbs.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A port's hardware counters at one moment. They are {@code counters}
 * and {@code hw_counters} of the device, and those of the network
 * interface below it, which is all that Soft-RoCE has for bytes.
 *
 * @param values by name: {@code counters/port_xmit_data},
 *     {@code hw_counters/sent_pkts}, {@code netdev/tx_bytes} and so on
 */
record PortCounters(Map<String, Long> values) {
    private static final Path SYSFS = Path.of("/sys/class/infiniband");
    private static final Path NETWORK = Path.of("/sys/class/net");
    /** {@code port_xmit_data} and {@code port_rcv_data} count words of four bytes. */
    private static final int WORD = 4;

    /** Reads those of a port; empty where there are none. */
    static PortCounters read(Port port) {
        Path device = SYSFS.resolve(port.device());
        Path folder = device.resolve("ports").resolve(Integer.toString(port.number()));
        Map<String, Long> values = new TreeMap<>();
        readFolder(folder.resolve("counters"), "counters/", values);
        readFolder(folder.resolve("hw_counters"), "hw_counters/", values);
        String netdev = text(device.resolve("parent"));
        if (netdev != null) {
            readFolder(NETWORK.resolve(netdev).resolve("statistics"), "netdev/", values);
        }
        return new PortCounters(values);
    }

    /** Reads each file of a folder that holds a number. */
    static void readFolder(Path folder, String prefix, Map<String, Long> into) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> {
                String text = text(file);
                if (text != null && text.matches("\\d{1,18}")) {
                    into.put(prefix + file.getFileName(), Long.parseLong(text));
                }
            });
        } catch (IOException e) {
            return; // the folder is gone: no counters
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return null; // some counters can't be read on some devices
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** What has been counted since. */
    PortCounters since(PortCounters before) {
        Map<String, Long> differences = new TreeMap<>();
        values.forEach((name, value) -> {
            Long earlier = before.values.get(name);
            if (earlier != null && value - earlier != 0) {
                differences.put(name, value - earlier);
            }
        });
        return new PortCounters(differences);
    }

    /** Bytes on the wire in both directions, or null where nothing counts them. */
    Long wireBytes() {
        Long sent = values.get("counters/port_xmit_data");
        Long received = values.get("counters/port_rcv_data");
        if (sent != null || received != null) {
            return WORD * (value("counters/port_xmit_data") + value("counters/port_rcv_data"));
        }
        return values.containsKey("netdev/tx_bytes") || values.containsKey("netdev/rx_bytes")
                ? Long.valueOf(value("netdev/tx_bytes") + value("netdev/rx_bytes"))
                : null;
    }

    private long value(String name) {
        return values.getOrDefault(name, 0L);
    }
}
