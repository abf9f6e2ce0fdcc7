package io.dxnet.spi;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.MessageType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a value of a {@link MessageType} as a {@link Message}. One object serves many messages: a
 * sending thread's for all types, a handler's for one.
 *
 * @param <T> the type of the value
 */
public final class ValueMessage<T> extends Message implements Valued<T> {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private MessageType<T> type;
    private Codec<T> codec;
    private int mark;
    private @Nullable T value; // null until it is set or read
    private int bytes;

    /** To be {@link #set}, for sending. */
    @SuppressWarnings("NullAway.Init")
    public ValueMessage() {}

    /**
     * To be filled by {@link #importObject}.
     *
     * @param type of the values
     */
    public ValueMessage(MessageType<T> type) {
        type(type);
    }

    private void type(MessageType<T> next) {
        type = next;
        codec = next.codec();
        mark = Valued.mark(codec);
    }

    /**
     * Makes this the next message to be sent.
     *
     * @param destination node id, 0 to 65535
     * @param ofType the type
     * @param toSend the value
     */
    public void set(int destination, MessageType<T> ofType, T toSend) {
        if (type != ofType) {
            type(ofType);
            ACCESS.outgoing(this, ofType.type(), ofType.subtype());
        }
        setDestination(destination);
        value = toSend;
    }

    /** Refers to no value any more. */
    public void clear() {
        value = null;
    }

    @Override
    public String what() {
        return type.toString();
    }

    @Override
    public T value() {
        return Objects.requireNonNull(value);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void exportObject(Exporter exporter) {
        Valued.write(mark, codec, value(), exporter);
    }

    @Override
    public void importObject(Importer importer) {
        bytes = importer.remaining();
        value = Valued.read(mark, codec, importer, this);
    }

    @Override
    public int sizeOfObject() {
        return Valued.size(codec, value());
    }
}
