package io.dxnet.transport.handshake;

import io.dxnet.DXNetConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the opening node says in the handshake: see {@link HandshakeDescriptor}.
 *
 * @param nodeId its own
 * @param listenerId the node that it wants to reach
 * @param incarnation of this run of the opening node
 * @param connectionId of the connection, on the opening node
 * @param listenerConnectionId of the same connection, on the listener; 0: not known, or there is none yet
 * @param windowBytes flow control's window
 * @param thresholdPercent flow control's threshold
 * @param clusterName its cluster, UTF-8, at most 256 bytes
 * @param transport its transport's name, at most 16 bytes of UTF-8
 * @param payload what its transport has to say, at most {@link HandshakeDescriptor#PAYLOAD_BYTES_MAX} bytes; not copied
 */
public record Hello(
        int nodeId,
        int listenerId,
        long incarnation,
        long connectionId,
        long listenerConnectionId,
        int windowBytes,
        int thresholdPercent,
        String clusterName,
        String transport,
        byte[] payload) {

    /**
     * Checks the lengths.
     *
     * @throws IllegalArgumentException when transport or payload is too long
     */
    public Hello {
        if (transport.getBytes(StandardCharsets.UTF_8).length > HandshakeDescriptor.TRANSPORT_BYTES_MAX) {
            throw new IllegalArgumentException("the transport's name is longer than "
                    + HandshakeDescriptor.TRANSPORT_BYTES_MAX + " bytes: " + transport);
        }
        HandshakeDescriptor.checkPayload(payload);
    }

    /**
     * With what is configured.
     *
     * @param config of the opening node
     * @param transport its transport's name
     * @param nodeId its own
     * @param listenerId the node that it wants to reach
     * @param incarnation of this run of the opening node
     * @param connectionId of the connection, on the opening node
     * @param listenerConnectionId of the same connection, on the listener; 0: not known, or there is none yet
     * @param payload of the transport
     * @return the hello
     */
    public static Hello of(
            DXNetConfig config,
            String transport,
            int nodeId,
            int listenerId,
            long incarnation,
            long connectionId,
            long listenerConnectionId,
            byte[] payload) {
        return new Hello(
                nodeId,
                listenerId,
                incarnation,
                connectionId,
                listenerConnectionId,
                config.flowControlWindowBytes(),
                config.flowControlThresholdPercent(),
                config.clusterName(),
                transport,
                payload);
    }

    /**
     * What goes over the wire.
     *
     * @return the bytes, ready to be written
     */
    public ByteBuffer encode() {
        byte[] cluster = clusterName.getBytes(StandardCharsets.UTF_8);
        byte[] name = transport.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(
                        HandshakeDescriptor.HELLO_FIXED_BYTES + cluster.length + name.length + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(HandshakeDescriptor.NODE_ID_OFFSET, (short) nodeId);
        bytes.putShort(HandshakeDescriptor.LISTENER_ID_OFFSET, (short) listenerId);
        bytes.putShort(HandshakeDescriptor.CLUSTER_LENGTH_OFFSET, (short) cluster.length);
        bytes.putLong(HandshakeDescriptor.INCARNATION_OFFSET, incarnation);
        bytes.putLong(HandshakeDescriptor.CONNECTION_OFFSET, connectionId);
        bytes.putLong(HandshakeDescriptor.LISTENER_CONNECTION_OFFSET, listenerConnectionId);
        bytes.putInt(HandshakeDescriptor.WINDOW_OFFSET, windowBytes);
        bytes.putInt(HandshakeDescriptor.THRESHOLD_OFFSET, thresholdPercent);
        bytes.putShort(HandshakeDescriptor.TRANSPORT_LENGTH_OFFSET, (short) name.length);
        bytes.putShort(HandshakeDescriptor.PAYLOAD_LENGTH_OFFSET, (short) payload.length);
        return bytes.position(HandshakeDescriptor.HELLO_FIXED_BYTES)
                .put(cluster)
                .put(name)
                .put(payload)
                .flip();
    }

    /**
     * The opposite of {@link #encode}.
     *
     * @param bytes little endian, from index 0 a whole hello of the right magic and version
     * @return the hello
     */
    public static Hello decode(ByteBuffer bytes) {
        byte[] cluster = new byte[bytes.getShort(HandshakeDescriptor.CLUSTER_LENGTH_OFFSET) & 0xFFFF];
        byte[] name = new byte[bytes.getShort(HandshakeDescriptor.TRANSPORT_LENGTH_OFFSET) & 0xFFFF];
        byte[] payload = new byte[bytes.getShort(HandshakeDescriptor.PAYLOAD_LENGTH_OFFSET) & 0xFFFF];
        int at = HandshakeDescriptor.HELLO_FIXED_BYTES;
        bytes.get(at, cluster);
        bytes.get(at + cluster.length, name);
        bytes.get(at + cluster.length + name.length, payload);
        return new Hello(
                bytes.getShort(HandshakeDescriptor.NODE_ID_OFFSET) & 0xFFFF,
                bytes.getShort(HandshakeDescriptor.LISTENER_ID_OFFSET) & 0xFFFF,
                bytes.getLong(HandshakeDescriptor.INCARNATION_OFFSET),
                bytes.getLong(HandshakeDescriptor.CONNECTION_OFFSET),
                bytes.getLong(HandshakeDescriptor.LISTENER_CONNECTION_OFFSET),
                bytes.getInt(HandshakeDescriptor.WINDOW_OFFSET),
                bytes.getInt(HandshakeDescriptor.THRESHOLD_OFFSET),
                new String(cluster, StandardCharsets.UTF_8),
                new String(name, StandardCharsets.UTF_8),
                payload);
    }

    /**
     * Why a listener can't accept it, by what the two nodes are and have configured.
     *
     * @param own what the listener itself would say
     * @return null when it can
     */
    String refusal(Hello own) {
        if (!clusterName.equals(own.clusterName)) {
            return "this node belongs to cluster '" + own.clusterName + "', not '" + printable(clusterName) + "'";
        }
        if (listenerId != own.nodeId) {
            return "this is node " + own.nodeId + ", not node " + listenerId + ": check the node map";
        }
        if (!transport.equals(own.transport)) {
            return "this node uses transport " + own.transport + ", the other " + printable(transport)
                    + ": it must be equal on all nodes";
        }
        if (nodeId == own.nodeId && incarnation != own.incarnation) {
            return "node id " + nodeId + " is this node's own id: two nodes have the same id";
        }
        if (windowBytes != own.windowBytes) {
            return "flowControlWindowBytes is " + own.windowBytes + " here and " + windowBytes
                    + " there: it must be equal on all nodes";
        }
        if (thresholdPercent != own.thresholdPercent) {
            return "flowControlThresholdPercent is " + own.thresholdPercent + " here and " + thresholdPercent
                    + " there: it must be equal on all nodes";
        }
        if (incarnation == 0 || connectionId <= 0 || listenerConnectionId < 0) {
            return "its incarnation or connection ids are none";
        }
        return null;
    }

    /** What a stranger sent, fit for a log. */
    static String printable(String text) {
        StringBuilder result = new StringBuilder();
        text.codePoints().limit(64).forEach(c -> {
            if (c < ' ' || c == 127 || Character.isISOControl(c)) {
                result.append('?');
            } else {
                result.appendCodePoint(c);
            }
        });
        return result.toString();
    }
}
