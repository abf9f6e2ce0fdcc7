package io.dxnet.spi;

import io.dxnet.Codec;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.MessageTooLargeException;

/**
 * A message whose payload is a value and the mark of its codec's schema, which precedes it: nodes
 * that understand a type differently must not misread each other.
 *
 * @param <T> the type of the value
 */
public sealed interface Valued<T> permits ValueMessage, ValueRequest, ValueResponse {
    /** The bytes of the mark. */
    int MARK_BYTES = Integer.BYTES;

    /** {@return the type's name and id, for errors} */
    String what();

    /** {@return the value} */
    T value();

    /** {@return the bytes of the payload that the value was read from} */
    int bytes();

    /**
     * Folds a schema into a mark.
     *
     * @param codec any codec
     * @return 0 when the schema is unknown, and only then
     */
    static int mark(Codec<?> codec) {
        long schema = codec.schema();
        int folded = (int) (schema ^ schema >>> 32);
        return folded == 0 && schema != 0 ? 1 : folded;
    }

    /**
     * Computes the size of a payload.
     *
     * @param <T> the type of the value
     * @param codec of the value
     * @param value the value
     * @return bytes
     * @throws MessageTooLargeException when there are 2 GiB or more
     */
    static <T> int size(Codec<T> codec, T value) {
        try {
            return Math.addExact(MARK_BYTES, codec.size(value));
        } catch (ArithmeticException e) {
            if (e.getMessage() == null || !e.getMessage().endsWith("overflow")) {
                throw e; // of an accessor; an overflow in one counts as the size's
            }
            throw new MessageTooLargeException(
                    "a value of " + codec.describe() + " has 2 GiB or more: split the message", e);
        }
    }

    /**
     * Writes a payload.
     *
     * @param <T> the type of the value
     * @param mark of the codec
     * @param codec of the value
     * @param value the value
     * @param to where to write
     */
    static <T> void write(int mark, Codec<T> codec, T value, Exporter to) {
        to.writeInt(mark);
        codec.write(value, to);
    }

    /**
     * Reads a payload.
     *
     * @param <T> the type of the value
     * @param mark of the codec
     * @param codec of the value
     * @param from where to read
     * @param into the message that the value is read for
     * @return the value
     * @throws MessageFormatException when the sender's codec has another schema
     */
    static <T> T read(int mark, Codec<T> codec, Importer from, Valued<T> into) {
        int sent = from.readInt();
        if (sent != mark) {
            throw new MessageFormatException(into.what() + " was written by a codec with another schema (" + text(sent)
                    + ") than the one here (" + text(mark) + "), " + codec.describe()
                    + ": use the same version of its classes on all nodes, or a new id for the new version");
        }
        T value = codec.read(from);
        if (value == null) {
            throw new MessageFormatException(into.what() + ": its codec's read returned null");
        }
        return value;
    }

    private static String text(int mark) {
        return mark == 0 ? "unknown, written by hand" : Integer.toHexString(mark);
    }
}
