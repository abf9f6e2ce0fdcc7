package io.dxnet;

import io.dxnet.codec.Derivation;
import java.lang.invoke.MethodHandles;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Describes one type of messages: its number on the wire, its name, and the codec of its
 * values. All nodes use the same.
 *
 * <pre>{@code
 * record Hello(String text) {}
 *
 * static final MessageType<Hello> HELLO = MessageType.of(1, Hello.class);
 * static final MessageType<Step> STEP = MessageType.of(2, Step.class).ordered();
 * }</pre>
 *
 * <p>The id is the pair of type and subtype of {@link Message}: messages and requests
 * of both layers share the numbers. The name is for people and is not sent.
 * Immutable; any thread may use it.
 *
 * @param <T> the type of the values
 */
public final class MessageType<T> {
    /** The number of ids: they are 0 to 65535. */
    public static final int IDS_MAX = Message.TYPES_MAX * Message.TYPES_MAX;

    private final int id;
    private final String name;
    private final Codec<T> codec;
    private final Set<MessageTypeOption> options;
    private final String text;

    private MessageType(int id, String name, Codec<T> codec, Set<MessageTypeOption> options) {
        this.id = checkId(id);
        this.name = checkName(name);
        this.codec = Objects.requireNonNull(codec, "codec");
        this.options = Set.copyOf(options);
        this.text = "message type " + id + " (" + name + ")" + (options.isEmpty() ? "" : " " + options);
    }

    /**
     * Makes a type with a derived codec, named after its class.
     *
     * @param <T> the type of the values
     * @param id 0 to 65535
     * @param type a record, a sealed interface of records, or another type that {@link Codec} lists
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range
     * @throws MessagingUsageException when no codec can be derived
     */
    public static <T> MessageType<T> of(int id, Class<T> type) {
        checkId(id); // before the work of deriving
        return of(id, type.getSimpleName(), Codec.of(type));
    }

    /**
     * Makes a type with a derived codec of records that only the caller can
     * access, named after its class.
     *
     * @param <T> the type of the values
     * @param id 0 to 65535
     * @param type a record, a sealed interface of records, or another type that {@link Codec} lists
     * @param lookup {@link MethodHandles#lookup()}, called in the module of the records
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range
     * @throws MessagingUsageException when no codec can be derived
     */
    public static <T> MessageType<T> of(int id, Class<T> type, MethodHandles.Lookup lookup) {
        checkId(id);
        return of(id, type.getSimpleName(), Codec.of(type, lookup));
    }

    /**
     * Makes a type with any codec.
     *
     * @param <T> the type of the values
     * @param id 0 to 65535
     * @param name for errors and logs, not blank
     * @param codec of the values
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range or the name is blank
     */
    public static <T> MessageType<T> of(int id, String name, Codec<T> codec) {
        return new MessageType<>(id, name, codec, Set.of());
    }

    static int checkId(int id) {
        if (id < 0 || id >= IDS_MAX) {
            throw new IllegalArgumentException("message type id " + id + " is not in 0.." + (IDS_MAX - 1));
        }
        return id;
    }

    static String checkName(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a message type is blank");
        }
        return name;
    }

    /**
     * Copies this type with {@link MessageTypeOption#EXCLUSIVE}: messages of one connection are
     * handled in the order of sending.
     *
     * @return the copy
     */
    public MessageType<T> ordered() {
        return with(MessageTypeOption.EXCLUSIVE);
    }

    /**
     * Copies this type with {@link MessageTypeOption#REUSABLE}: its codec reads into an object that
     * it keeps for the thread, and handlers use the object during their callback only.
     *
     * @return the copy
     * @throws MessagingUsageException when the codec is derived: it
     *     makes a new object for each message
     */
    public MessageType<T> reusable() {
        if (Derivation.isDerived(codec)) {
            throw new MessagingUsageException(
                    this + " cannot be reusable, because its codec makes a new object for each "
                            + "message: write a codec by hand that keeps one");
        }
        return with(MessageTypeOption.REUSABLE);
    }

    private MessageType<T> with(MessageTypeOption option) {
        EnumSet<MessageTypeOption> more = EnumSet.of(option);
        more.addAll(options);
        return new MessageType<>(id, name, codec, more);
    }

    /**
     * {@return the number on the wire, 0 to 65535: type and subtype}
     */
    public int id() {
        return id;
    }

    /**
     * {@return the low byte of the id, 0 to 255: what {@link Message#type()} returns}
     */
    public int type() {
        return id % Message.TYPES_MAX;
    }

    /**
     * {@return the high byte of the id, 0 to 255: what {@link Message#subtype()} returns}
     */
    public int subtype() {
        return id / Message.TYPES_MAX;
    }

    /**
     * {@return the name for errors and logs}
     */
    public String name() {
        return name;
    }

    /**
     * {@return the codec of the values}
     */
    public Codec<T> codec() {
        return codec;
    }

    /**
     * {@return whether messages of one connection are handled in the order of sending}
     */
    public boolean isOrdered() {
        return options.contains(MessageTypeOption.EXCLUSIVE);
    }

    /**
     * {@return the options, unmodifiable}
     */
    public Set<MessageTypeOption> options() {
        return options;
    }

    /**
     * Compares all parts: derived codecs by class and schema, others by their own {@code equals}.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof MessageType<?> type
                && id == type.id
                && name.equals(type.name)
                && options.equals(type.options)
                && codec.equals(type.codec);
    }

    @Override
    public int hashCode() {
        return id;
    }

    @Override
    public String toString() {
        return text;
    }
}
