package io.dxnet;

import io.dxnet.spi.MessageAccess;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An object that is sent from node to node (DXNet Table I). A subclass specifies the destination
 * (in its constructor) and the content ({@link #exportObject}, {@link #importObject},
 * {@link #sizeOfObject}); one without payload overrides nothing.
 *
 * <p>An outgoing message is written to the ring buffer before {@link DXNet#sendMessage}
 * returns: it may be changed, sent again or dropped afterwards. It belongs to one thread while
 * it is being sent. An incoming message belongs to the handler thread that delivers it, and to
 * the application afterwards; one of a {@link MessageTypeOption#REUSABLE reusable} type is
 * valid during the callback only.
 */
public abstract class Message implements Exportable, Importable {
    /** The number of types, and of subtypes of a type: both are 0 to 255. */
    public static final int TYPES_MAX = 256;

    /** The number of node ids: they are 0 to 65535. */
    public static final int NODES_MAX = 65536;

    private static final int[] NONE = {};

    static {
        MessageAccess.set(new Access());
    }

    private int source = -1;
    private int destination = -1;
    private int[] moreDestinations = NONE;
    // Below 256: two bytes each keep an object with one reference of its own at 40 bytes.
    private short type = -1;
    private short subtype = -1;
    private int id = -1;
    private @Nullable Object origin;

    /**
     * For objects that are about to be filled by {@link #importObject}:
     * what the type's factory calls.
     */
    protected Message() {}

    /**
     * An outgoing message.
     *
     * @param destination node id of the receiver, 0 to 65535
     * @param type the application's number for a group of messages, 0 to 255
     * @param subtype the number inside that group, 0 to 255
     * @throws IllegalArgumentException when a number is out of range
     */
    protected Message(int destination, int type, int subtype) {
        this.destination = checkNode(destination);
        this.type = (short) checkType("type", type);
        this.subtype = (short) checkType("subtype", subtype);
    }

    /** A response: it is sent to the sender of the request and carries its id. */
    Message(Message request, int type, int subtype) {
        this(request.source, type, subtype);
        this.id = request.id;
        this.origin = request.origin;
    }

    /**
     * An outgoing message to several nodes: each gets its own copy, in the order of the array.
     *
     * @param destinations node ids, at least one, each 0 to 65535
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @throws IllegalArgumentException when a number is out of range or there is no destination
     */
    protected Message(int[] destinations, int type, int subtype) {
        this(first(destinations), type, subtype);
        setDestinations(destinations);
    }

    @Override
    public void exportObject(Exporter exporter) {
        // no payload
    }

    @Override
    public void importObject(Importer importer) {
        // no payload
    }

    @Override
    public int sizeOfObject() {
        return 0;
    }

    /**
     * Sends the next {@link DXNet#sendMessage} of this object elsewhere: one
     * object can serve for many sends.
     *
     * @param destination node id, 0 to 65535
     */
    public final void setDestination(int destination) {
        this.destination = checkNode(destination);
        this.moreDestinations = NONE;
    }

    /**
     * Sends the next {@link DXNet#sendMessage} of this object to several nodes.
     *
     * @param destinations node ids, at least one, each 0 to 65535
     */
    public final void setDestinations(int... destinations) {
        int one = first(destinations);
        for (int node : destinations) {
            checkNode(node);
        }
        this.destination = one;
        this.moreDestinations =
                destinations.length == 1 ? NONE : Arrays.copyOfRange(destinations, 1, destinations.length);
    }

    /**
     * The node that gets this message, the first one where there are several. Of a
     * message that was received: this node.
     *
     * @return node id, or -1 for an outgoing message without a destination
     */
    public final int destination() {
        return destination;
    }

    /**
     * The node that sent this message.
     *
     * @return node id, or -1 for a message that did not arrive from the network
     */
    public final int source() {
        return source;
    }

    /**
     * The application's number for a group of messages.
     *
     * @return 0 to 255
     */
    public final int type() {
        return type;
    }

    /**
     * The number inside the group.
     *
     * @return 0 to 255
     */
    public final int subtype() {
        return subtype;
    }

    /**
     * The number that matches a response with its request.
     *
     * @return 0 to 2^24 - 1 of a request that arrived and of its
     *     response; others mean nothing by it
     */
    public final int messageId() {
        return id;
    }

    /** Names class, type, subtype, source and destination. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + " (type " + type + ", subtype " + subtype + ", from node " + source
                + " to node " + destination + ")";
    }

    private static int first(int[] destinations) {
        if (destinations.length == 0) {
            throw new IllegalArgumentException("a message needs at least one destination");
        }
        return destinations[0];
    }

    static int checkNode(int node) {
        if (node < 0 || node >= NODES_MAX) {
            throw new IllegalArgumentException("node id " + node + " is not in 0..65535");
        }
        return node;
    }

    private static int checkType(String what, int value) {
        if (value < 0 || value >= TYPES_MAX) {
            throw new IllegalArgumentException(what + " " + value + " is not in 0..255");
        }
        return value;
    }

    /** Opens the header's fields to the engine alone. */
    private static final class Access extends MessageAccess {
        @Override
        public void received(
                Message message, int source, int destination, int type, int subtype, int id, Object origin) {
            message.origin = origin;
            message.source = source;
            message.destination = destination;
            if (message.moreDestinations != NONE) { // a reusable one that the application sent on
                message.moreDestinations = NONE;
            }
            message.type = (short) type;
            message.subtype = (short) subtype;
            message.id = id;
        }

        @Override
        public void outgoing(Message message, int type, int subtype) {
            message.type = (short) checkType("type", type);
            message.subtype = (short) checkType("subtype", subtype);
        }

        @Override
        public @Nullable Object origin(Message message) {
            return message.origin;
        }

        @Override
        public void forgetOrigin(Message message) {
            message.origin = null;
        }

        @Override
        public int id(Message message) {
            return message.id;
        }

        @Override
        public int[] moreDestinations(Message message) {
            return message.moreDestinations;
        }
    }
}
