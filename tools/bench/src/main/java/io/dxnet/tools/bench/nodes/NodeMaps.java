package io.dxnet.tools.bench.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Node maps of this machine. */
public final class NodeMaps {
    private NodeMaps() {}

    /**
     * Addresses of this machine for nodes 0 to {@code count - 1}, with the ports of
     * {@link FixedPorts}.
     *
     * @param count of nodes
     * @param hosts addresses of this machine, given to the nodes in turn
     * @return host and port of each
     * @throws IOException when there is no port
     */
    public static List<String> addresses(int count, List<String> hosts) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            String host = hosts.get(id % hosts.size());
            addresses.add(host + ":" + FixedPorts.next(InetAddress.getByName(host)));
        }
        return addresses;
    }

    /**
     * An address of a node map, as it is written there.
     *
     * @param address not resolved
     * @return host and port
     */
    public static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Writes a node map of {@link #addresses}.
     *
     * @param file is replaced
     * @param count of nodes
     * @param hosts addresses of this machine, given to the nodes in turn
     * @throws IOException when there is no port or the file can't be written
     */
    public static void write(Path file, int count, List<String> hosts) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String address : addresses(count, hosts)) {
            lines.add(lines.size() + "=" + address);
        }
        Files.write(file, lines);
    }

    /**
     * The same on the loopback address.
     *
     * @param file is replaced
     * @param count of nodes
     * @throws IOException when there is no port or the file can't be written
     */
    public static void write(Path file, int count) throws IOException {
        write(file, count, List.of("127.0.0.1"));
    }
}
