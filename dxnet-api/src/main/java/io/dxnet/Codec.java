package io.dxnet;

import io.dxnet.codec.Derivation;
import io.dxnet.codec.HandWritten;
import io.dxnet.codec.SizeCounter;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Writes the values of a type into messages, and reads them. A codec is derived
 * from a record, or written by hand:
 *
 * <pre>{@code
 * record Order(long number, String customer, List<Item> items) {}
 *
 * Codec<Order> derived = Codec.of(Order.class);
 * Codec<Order> byHand = Codec.of(
 *         (order, to) -> to.writeByteArray(protobuf(order)),
 *         from -> order(from.readByteArray()));
 * }</pre>
 *
 * <h2>Derived codecs</h2>
 *
 * <p>A codec can be derived from a record, from a sealed interface that permits records, enums and
 * further such interfaces, and from each type that a component of a record can have:
 *
 * <ul>
 *   <li>primitives, their arrays, and their boxed classes;
 *   <li>{@code String}, enums, {@code UUID}, {@code Instant}, {@code Duration}, {@code BigInteger};
 *   <li>records and sealed interfaces, also recursive ones, and generic ones
 *       whose type arguments are declared;
 *   <li>{@code List}, {@code Set}, {@code Map}, {@code Optional}, and arrays, of all of these.
 * </ul>
 *
 * <p>Any other type fails when the codec is made, with a {@link MessagingUsageException} that
 * names record, component and remedy.
 *
 * <p><b>Null.</b> A component of a record and an element of an array may be null, unless it is
 * an {@code Optional}. The content of a {@code List}, {@code Set}, {@code Map} and
 * {@code Optional}, and the value itself, may not: sending it throws a
 * {@link MessagingUsageException} that names the component, or for the value itself a
 * {@link NullPointerException}. A null costs one byte. A value that may be null costs one byte
 * more than one that may not, where its type has no length, tag or ordinal.
 *
 * <p><b>What arrives.</b> Collections are unmodifiable; sets and maps keep the order of the
 * sender's. A value is made by the canonical constructor and sent by the accessors. Strings are as
 * in {@link Exporter#writeString}.
 *
 * <p><b>Cost.</b> Sending allocates nothing, with these exceptions: iterators of sets, maps,
 * and lists without {@link java.util.RandomAccess}, unless the compiler removes them, and the
 * bytes of a {@code BigInteger} of 64 bits and more. Reading allocates the value and its
 * components; for collections and arrays of a recursive type with more than 256 elements,
 * also the arrays that they outgrow.
 *
 * <p><b>Hostile messages.</b> Reading throws {@link MessageFormatException} for a message that
 * no codec of this schema wrote, and where a constructor refuses its arguments. Accepted all the
 * same are malformed UTF-8, which is replaced as by the constructors of {@link String}, and
 * compact numbers and {@code BigInteger}s with more bytes than they need. Nothing is allocated for
 * a number of elements that the rest of the message cannot hold. Records are nested at most
 * {@link #NESTING_MAX} deep.
 *
 * <p><b>Schema.</b> {@link #schema()} is a number for what is written: the names and the types of
 * the components, in their order; the constants of enums; the names of the permitted classes. Two
 * codecs with the same schema read each other's messages. Two with different schemas must not: a
 * component that is added at the end is a difference, too.
 *
 * <p>Any thread may call any method. An implementation must allow that.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
    /**
     * How deep records of derived codecs may lie in records, and objects in objects
     * ({@link Importer#readObject}, {@link Exporter#writeObject}). Protects the stack from cycles
     * and from hostile messages: of 1 MiB, the default of a thread, each level may use 4 KiB.
     */
    int NESTING_MAX = 256;

    /**
     * Writes a value. Must write exactly {@link #size} bytes.
     *
     * @param value the value, not null
     * @param to where to write; valid during this call only
     */
    void write(T value, Exporter to);

    /**
     * Reads a value that {@link #write} wrote. Must read all of it, and nothing after it.
     *
     * @param from where to read; valid during this call only
     * @return the value, not null
     * @throws MessageFormatException when the bytes are not those of a value
     */
    T read(Importer from);

    /**
     * Computes the number of bytes that {@link #write} writes. The default runs {@code write}
     * against a counter, which costs the time of a second write and allocates one small object.
     *
     * @param value the value, not null
     * @return bytes, 0 or more
     * @throws ArithmeticException when there are 2 GiB or more
     */
    default int size(T value) {
        SizeCounter counter = new SizeCounter();
        write(value, counter);
        return counter.bytes();
    }

    /**
     * Identifies what this codec writes, so that nodes can detect that they
     * understand a type differently.
     *
     * @return a hash of the schema, equal in every JVM and after a change of class names; 0 when
     *     the schema is unknown, as that of a codec written by hand is
     */
    default long schema() {
        return 0;
    }

    /**
     * Describes what this codec writes, for people: {@code Order{number: long, customer: String?,
     * items: List<Item{...}>?}}, where {@code ?} marks what may be null.
     *
     * @return the description
     */
    default String describe() {
        return "written by hand";
    }

    /**
     * Derives a codec. The class must be accessible: public in an exported package, or in an opened
     * package, or not in a named module.
     *
     * @param <T> the type of the values
     * @param type a record, a sealed interface of records, or another type of those above
     * @return the codec
     * @throws MessagingUsageException when a type in it has no derived codec, or is not accessible
     */
    static <T> Codec<T> of(Class<T> type) {
        return Derivation.derive(Objects.requireNonNull(type, "type"), null);
    }

    /**
     * Derives a codec of records that only the caller can access.
     *
     * @param <T> the type of the values
     * @param type a record, a sealed interface of records, or another type of those above
     * @param lookup {@link MethodHandles#lookup()}, called in the module of the records
     * @return the codec
     * @throws MessagingUsageException when a type in it has no derived codec, or is not accessible
     */
    static <T> Codec<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        return Derivation.derive(Objects.requireNonNull(type, "type"), Objects.requireNonNull(lookup, "lookup"));
    }

    /**
     * Makes a codec of two functions: the place for a serialization library. Implement this
     * interface where {@link #size} can be computed.
     *
     * @param <T> the type of the values
     * @param write writes a value
     * @param read reads a value
     * @return the codec, without a schema
     */
    static <T> Codec<T> of(
            BiConsumer<? super T, ? super Exporter> write, Function<? super Importer, ? extends T> read) {
        return new HandWritten<>(Objects.requireNonNull(write, "write"), Objects.requireNonNull(read, "read"));
    }
}
