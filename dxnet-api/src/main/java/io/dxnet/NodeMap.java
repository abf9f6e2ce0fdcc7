package io.dxnet;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps 16-bit node ids to addresses. May be changed while the network runs, by any thread, as nodes
 * are added and removed. A change counts from the next connect on; connections that exist stay.
 */
public final class NodeMap {
    /** The system property of {@link #ofSystemProperty}. */
    public static final String PROPERTY = "dxnet.nodes";

    private static final String ID = "{id}";

    private final int ownNodeId;
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();

    /**
     * An empty map.
     *
     * @param ownNodeId the id of this node, 0 to 65535
     */
    public NodeMap(int ownNodeId) {
        this.ownNodeId = check(ownNodeId);
    }

    /**
     * Adds a node or changes its address.
     *
     * @param nodeId 0 to 65535
     * @param address host and port; one created unresolved is resolved at each connect
     * @return this map
     */
    public NodeMap put(int nodeId, InetSocketAddress address) {
        addresses.put(check(nodeId), java.util.Objects.requireNonNull(address, "address"));
        return this;
    }

    /**
     * Adds a node or changes its address.
     *
     * @param nodeId 0 to 65535
     * @param address {@code host:port}, {@code 10.0.0.1:7000} or {@code [::1]:7000}
     * @return this map
     */
    public NodeMap put(int nodeId, String address) {
        return put(nodeId, address(address));
    }

    /**
     * Removes a node.
     *
     * @param nodeId the node
     */
    public void remove(int nodeId) {
        addresses.remove(nodeId);
    }

    /**
     * Where a node is.
     *
     * @param nodeId the node
     * @return its address, or null when it is not known
     */
    public @Nullable InetSocketAddress address(int nodeId) {
        return addresses.get(nodeId);
    }

    /**
     * The id of this node.
     *
     * @return 0 to 65535
     */
    public int ownNodeId() {
        return ownNodeId;
    }

    /**
     * All nodes, by id.
     *
     * @return a copy
     */
    public Map<Integer, InetSocketAddress> nodes() {
        return new TreeMap<>(addresses);
    }

    /**
     * Reads a map from a properties file with a line {@code id=host:port} for each node.
     *
     * @param ownNodeId the id of this node
     * @param file the file
     * @return the map
     * @throws IllegalArgumentException when a line is not of that form, or a node is named twice
     * @throws UncheckedIOException when the file can't be read, or is not UTF-8
     */
    public static NodeMap load(int ownNodeId, Path file) {
        Properties properties = new UniqueProperties("");
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the node map " + file + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) { // an escape sequence, or a node that is there twice
            throw new IllegalArgumentException(file + " is no node map: " + e.getMessage(), e);
        }
        NodeMap map = new NodeMap(ownNodeId);
        for (String key : properties.stringPropertyNames()) {
            map.put(file.toString(), key, properties.getProperty(key));
        }
        return map;
    }

    /**
     * Reads a map from a text with an entry {@code id=host:port} for
     * each node, separated by commas.
     *
     * @param ownNodeId the id of this node
     * @param text the text, for example {@code 0=node0:7000,1=node1:7000}
     * @return the map
     * @throws IllegalArgumentException when an entry is not of that form
     */
    public static NodeMap parse(int ownNodeId, String text) {
        NodeMap map = new NodeMap(ownNodeId);
        for (String entry : text.split(",", -1)) {
            int equals = entry.indexOf('=');
            map.put("node map", equals < 0 ? entry : entry.substring(0, equals), entry.substring(equals + 1));
        }
        return map;
    }

    /**
     * Reads a map from the system property {@value #PROPERTY}, of the form of {@link #parse}.
     *
     * @param ownNodeId the id of this node
     * @return the map
     * @throws IllegalArgumentException when the property is not set,
     *     or an entry is not of that form
     */
    public static NodeMap ofSystemProperty(int ownNodeId) {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            throw new IllegalArgumentException("set -D" + PROPERTY + "=0=host:port,1=host:port,... to name the nodes");
        }
        return parse(ownNodeId, text);
    }

    /**
     * Makes a map of nodes whose host names contain their ids, as the pods of a Kubernetes
     * StatefulSet with a headless service. Names are resolved for each new connection, so that a
     * node may return with another address.
     *
     * @param ownNodeId the id of this node
     * @param count the number of nodes, with ids 0 to {@code count - 1}; 1 to 65536
     * @param pattern the address, with {@code {id}} in place of the id:
     *     {@code store-{id}.store.example.svc:7000}
     * @return the map
     * @throws IllegalArgumentException when the count is out of range, or the pattern has
     *     no {@code {id}} or is no address
     */
    public static NodeMap numbered(int ownNodeId, int count, String pattern) {
        if (!pattern.contains(ID)) {
            throw new IllegalArgumentException("'" + pattern + "' does not contain " + ID);
        }
        if (count < 1 || count > Message.NODES_MAX) {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + Message.NODES_MAX);
        }
        NodeMap map = new NodeMap(ownNodeId);
        for (int id = 0; id < count; id++) {
            map.put(id, pattern.replace(ID, Integer.toString(id)));
        }
        return map;
    }

    private void put(String source, String id, String address) {
        try {
            int nodeId = Integer.parseInt(id.strip());
            if (addresses.containsKey(nodeId)) {
                throw new IllegalArgumentException("node " + nodeId + " is named twice");
            }
            put(nodeId, address.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    source + ": '" + id + "=" + address + "' is not 'id=host:port': " + e.getMessage(), e);
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("'" + text + "': write an IPv6 address in brackets, [::1]:7000");
        }
        if (host.isBlank() || host.indexOf('[') >= 0 || host.indexOf(']') >= 0) {
            throw new IllegalArgumentException("'" + text + "' has no host");
        }
        try {
            return InetSocketAddress.createUnresolved(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "': the port is not a number in 0..65535", e);
        }
    }

    private static int check(int nodeId) {
        if (nodeId < 0 || nodeId >= Message.NODES_MAX) {
            throw new IllegalArgumentException("node id " + nodeId + " is not in 0..65535");
        }
        return nodeId;
    }
}
