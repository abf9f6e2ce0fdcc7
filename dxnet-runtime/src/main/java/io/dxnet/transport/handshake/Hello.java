package io.dxnet.transport.handshake;

import io.dxnet.DXNetConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the opening node sends in the handshake: see {@link HandshakeDescriptor}.
 *
 * @param nodeId its own
 * @param listenerId the node that it wants to reach
 * @param incarnation of this run of the opening node
 * @param connectionId of the connection, on the opening node
 * @param listenerConnectionId of the same connection, on the listener; 0:
 *     not known, or there is none yet
 * @param windowBytes flow control's window
 * @param thresholdPercent flow control's threshold
 * @param clusterName its cluster, UTF-8, at most 256 bytes
 * @param transport its transport's name, at most 16 bytes of UTF-8
 * @param payload what its transport sends, at most
 *     {@link HandshakeDescriptor#PAYLOAD_BYTES_MAX} bytes; not copied
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
     * @throws IllegalArgumentException when cluster name, transport or payload is too long
     */
    public Hello {
        if (clusterName.getBytes(StandardCharsets.UTF_8).length > HandshakeDescriptor.CLUSTER_BYTES_MAX) {
            throw new IllegalArgumentException("the cluster's name is longer than "
                    + HandshakeDescriptor.CLUSTER_BYTES_MAX + " bytes: " + clusterName);
        }
        if (transport.getBytes(StandardCharsets.UTF_8).length > HandshakeDescriptor.TRANSPORT_BYTES_MAX) {
            throw new IllegalArgumentException("the transport's name is longer than "
                    + HandshakeDescriptor.TRANSPORT_BYTES_MAX + " bytes: " + transport);
        }
        HandshakeDescriptor.checkPayload(payload);
    }

    /**
     * Makes a hello of what is configured.
     *
     * @param config of the opening node
     * @param transport its transport's name
     * @param nodeId its own
     * @param listenerId the node that it wants to reach
     * @param incarnation of this run of the opening node
     * @param connectionId of the connection, on the opening node
     * @param listenerConnectionId of the same connection, on the listener; 0:
     *     not known, or there is none yet
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

    /** {@return the bytes for the wire where nodes prove nothing, ready to be written} */
    public ByteBuffer encode() {
        return encode(HandshakeDescriptor.MODE_NONE);
    }

    /**
     * Writes it for the wire.
     *
     * @param mode how the nodes know each other
     * @return the bytes, ready to be written
     */
    ByteBuffer encode(short mode) {
        byte[] cluster = clusterName.getBytes(StandardCharsets.UTF_8);
        byte[] name = transport.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(
                        HandshakeDescriptor.HELLO_FIXED_BYTES + cluster.length + name.length + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(HandshakeDescriptor.MAGIC_OFFSET, HandshakeDescriptor.MAGIC);
        bytes.putShort(HandshakeDescriptor.VERSION_OFFSET, HandshakeDescriptor.VERSION);
        bytes.putShort(HandshakeDescriptor.MODE_OFFSET, mode);
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
     * Reads a hello: the opposite of {@link #encode}.
     *
     * @param bytes little endian, from index 0 a whole hello of the right magic and
     *     version, whose lengths are in their bounds
     * @return the hello
     * @throws CharacterCodingException when a name is not UTF-8
     */
    public static Hello decode(ByteBuffer bytes) throws CharacterCodingException {
        int clusterBytes = bytes.getShort(HandshakeDescriptor.CLUSTER_LENGTH_OFFSET) & 0xFFFF;
        int nameBytes = bytes.getShort(HandshakeDescriptor.TRANSPORT_LENGTH_OFFSET) & 0xFFFF;
        byte[] payload = new byte[bytes.getShort(HandshakeDescriptor.PAYLOAD_LENGTH_OFFSET) & 0xFFFF];
        int at = HandshakeDescriptor.HELLO_FIXED_BYTES;
        bytes.get(at + clusterBytes + nameBytes, payload);
        return new Hello(
                bytes.getShort(HandshakeDescriptor.NODE_ID_OFFSET) & 0xFFFF,
                bytes.getShort(HandshakeDescriptor.LISTENER_ID_OFFSET) & 0xFFFF,
                bytes.getLong(HandshakeDescriptor.INCARNATION_OFFSET),
                bytes.getLong(HandshakeDescriptor.CONNECTION_OFFSET),
                bytes.getLong(HandshakeDescriptor.LISTENER_CONNECTION_OFFSET),
                bytes.getInt(HandshakeDescriptor.WINDOW_OFFSET),
                bytes.getInt(HandshakeDescriptor.THRESHOLD_OFFSET),
                text(bytes, at, clusterBytes),
                text(bytes, at + clusterBytes, nameBytes),
                payload);
    }

    /** Never replaces what is not UTF-8: the text would be another one, and longer. */
    private static String text(ByteBuffer bytes, int at, int length) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(bytes.slice(at, length))
                .toString();
    }

    /**
     * Why two nodes don't fit.
     *
     * @param told for the other node, perhaps a stranger: in general words,
     *     nothing of what this node is or has configured
     * @param detail for this node's log
     */
    record Misfit(String told, String detail) {}

    /**
     * Compares what the two nodes are and have configured. The cluster comes first:
     * a node that does not know its name learns nothing else.
     *
     * @param own what the listener itself would send
     * @return why the listener can't accept it; null when it can
     */
    @Nullable
    Misfit misfit(Hello own) {
        if (!clusterName.equals(own.clusterName)) {
            return new Misfit(
                    "it belongs to another cluster",
                    "this node belongs to cluster '" + own.clusterName + "', not '" + printable(clusterName) + "'");
        }
        if (listenerId != own.nodeId) {
            return new Misfit(
                    "it is not node " + listenerId + ": check the node map",
                    "this is node " + own.nodeId + ", not node " + listenerId + ": check the node map");
        }
        if (!transport.equals(own.transport)) {
            return differs("transport", own.transport, printable(transport));
        }
        if (nodeId == own.nodeId && incarnation != own.incarnation) {
            String reason = "node id " + nodeId + " is this node's own id: two nodes have the same id";
            return new Misfit(reason, reason);
        }
        if (windowBytes != own.windowBytes) {
            return differs("flowControlWindowBytes", "" + own.windowBytes, "" + windowBytes);
        }
        if (thresholdPercent != own.thresholdPercent) {
            return differs("flowControlThresholdPercent", "" + own.thresholdPercent, "" + thresholdPercent);
        }
        if (incarnation == 0 || connectionId <= 0 || listenerConnectionId < 0) {
            String reason = "its incarnation or connection ids are none";
            return new Misfit(reason, reason);
        }
        return null;
    }

    private static Misfit differs(String key, String here, String there) {
        String rule = ": it must be equal on all nodes";
        return new Misfit(key + " differs" + rule, key + " is " + here + " here and " + there + " there" + rule);
    }

    /**
     * What a stranger sent, fit for a log or an exception: up to 64 characters,
     * without those that change the line.
     */
    static String printable(String text) {
        return printable(text, 64);
    }

    static String printable(String text, int charactersMax) {
        StringBuilder result = new StringBuilder();
        text.codePoints().limit(charactersMax).forEach(c -> result.appendCodePoint(isPrintable(c) ? c : '?'));
        return result.toString();
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
