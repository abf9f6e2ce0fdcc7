package io.dxnet.transport.nio;

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
 * @param clusterName its cluster
 */
record Hello(
        int nodeId,
        int listenerId,
        long incarnation,
        long connectionId,
        long listenerConnectionId,
        int windowBytes,
        int thresholdPercent,
        String clusterName) {

    static Hello of(
            DXNetConfig config,
            int nodeId,
            int listenerId,
            long incarnation,
            long connectionId,
            long listenerConnectionId) {
        return new Hello(
                nodeId,
                listenerId,
                incarnation,
                connectionId,
                listenerConnectionId,
                config.flowControlWindowBytes(),
                config.flowControlThresholdPercent(),
                config.clusterName());
    }

    /** The bytes, ready to be written. */
    ByteBuffer encode() {
        byte[] cluster = clusterName.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(HandshakeDescriptor.HELLO_FIXED_BYTES + cluster.length)
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
        bytes.put(HandshakeDescriptor.HELLO_FIXED_BYTES, cluster);
        return bytes;
    }

    /** Decodes a whole hello of the right magic and version. */
    static Hello decode(ByteBuffer bytes) {
        byte[] cluster = new byte[bytes.getShort(HandshakeDescriptor.CLUSTER_LENGTH_OFFSET) & 0xFFFF];
        bytes.get(HandshakeDescriptor.HELLO_FIXED_BYTES, cluster);
        return new Hello(
                bytes.getShort(HandshakeDescriptor.NODE_ID_OFFSET) & 0xFFFF,
                bytes.getShort(HandshakeDescriptor.LISTENER_ID_OFFSET) & 0xFFFF,
                bytes.getLong(HandshakeDescriptor.INCARNATION_OFFSET),
                bytes.getLong(HandshakeDescriptor.CONNECTION_OFFSET),
                bytes.getLong(HandshakeDescriptor.LISTENER_CONNECTION_OFFSET),
                bytes.getInt(HandshakeDescriptor.WINDOW_OFFSET),
                bytes.getInt(HandshakeDescriptor.THRESHOLD_OFFSET),
                new String(cluster, StandardCharsets.UTF_8));
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
