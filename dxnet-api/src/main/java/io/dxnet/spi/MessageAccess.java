package io.dxnet.spi;

import io.dxnet.Message;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The engine's way to a message's header fields, which applications can't set. */
public abstract class MessageAccess {
    private static volatile @Nullable MessageAccess instance;

    /** For {@link Message} alone. */
    protected MessageAccess() {}

    /**
     * Called once, by {@link Message}'s static initializer.
     *
     * @param access the access
     */
    public static void set(MessageAccess access) {
        instance = access;
    }

    /**
     * The access.
     *
     * @return never null once {@link Message} is initialized
     */
    public static MessageAccess get() {
        MessageAccess access = instance;
        if (access == null) {
            try {
                Class.forName(Message.class.getName(), true, Message.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
            access = Objects.requireNonNull(instance);
        }
        return access;
    }

    /**
     * Fills the header fields of a message that arrived.
     *
     * @param message the message
     * @param source node that sent it
     * @param destination this node
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @param id 24-bit message id
     * @param origin what the engine wants to know of it when a response is sent:
     *     the connection that it came by
     */
    public abstract void received(
            Message message, int source, int destination, int type, int subtype, int id, Object origin);

    /**
     * Changes the type of an outgoing message.
     *
     * @param message the message
     * @param type 0 to 255
     * @param subtype 0 to 255
     */
    public abstract void outgoing(Message message, int type, int subtype);

    /**
     * Where the request came from that a response answers.
     *
     * @param message a response, or a message that arrived
     * @return as given to {@link #received}; null for others
     */
    public abstract @Nullable Object origin(Message message);

    /**
     * Where a message came from is not needed any more: one that is used again keeps no connection
     * alive.
     *
     * @param message one that arrived
     */
    public abstract void forgetOrigin(Message message);

    /**
     * The 24-bit message id: of a request that arrived, or of a response to one.
     *
     * @param message the message
     * @return the id, or -1
     */
    public abstract int id(Message message);

    /**
     * The destinations after the first.
     *
     * @param message the message
     * @return node ids, not to be changed
     */
    public abstract int[] moreDestinations(Message message);
}
