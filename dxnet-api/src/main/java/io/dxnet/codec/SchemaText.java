package io.dxnet.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The schema of a type as text: what is written, in order. A type that occurs again is referred to,
 * so that the text of a recursive type ends.
 */
final class SchemaText {
    /** Changes with the wire format, so that two formats never share a schema. */
    private static final String FORMAT = "dxnet codec 1 ";

    /** How records and sealed interfaces are referred to. */
    enum Labels {
        /** By their names, for people. */
        NAMES,
        /** By the order in which they occur, for comparisons: a class may be renamed. */
        NUMBERS
    }

    private final StringBuilder text = new StringBuilder();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final Labels labels;

    private SchemaText(Labels labels) {
        this.labels = labels;
    }

    /** {@return a description for people} */
    static String describe(ValueCodec codec) {
        return of(codec, Labels.NAMES);
    }

    /** {@return 64 bits of the SHA-256 of the schema; never 0, which stands for an unknown one} */
    static long hash(ValueCodec codec) {
        byte[] canonical = (FORMAT + of(codec, Labels.NUMBERS)).getBytes(StandardCharsets.UTF_8);
        long hash = 0;
        byte[] digest = sha256(canonical);
        for (int i = 0; i < Long.BYTES; i++) {
            hash = hash << Byte.SIZE | digest[i] & 0xFF;
        }
        return hash == 0 ? 1 : hash;
    }

    private static String of(ValueCodec codec, Labels labels) {
        SchemaText text = new SchemaText(labels);
        codec.describe(text);
        return text.text.toString();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    SchemaText append(String part) {
        text.append(part);
        return this;
    }

    /** Appends a type with a mark if it may be null. */
    void nullable(ValueCodec codec) {
        codec.describe(this);
        if (codec.acceptsNull()) {
            text.append('?');
        }
    }

    /**
     * Appends a name that a rename of the class may change, or a word in its place.
     *
     * @param anonymous stands for the name where types have numbers
     */
    void name(Class<?> type, String anonymous) {
        text.append(labels == Labels.NAMES ? type.getSimpleName() : anonymous);
    }

    /**
     * Appends the name of a record or a sealed interface, or, if it
     * occurred before, a reference to it.
     *
     * @param key stands for the type
     * @return whether it occurs for the first time: then the caller appends what is in it
     */
    boolean open(Object key, Class<?> type) {
        Integer number = numbers.putIfAbsent(key, numbers.size());
        name(type, number == null ? "" : "#" + number);
        return number == null;
    }

    /**
     * Appends the name of a case, which its tag stands for, where {@link #open} will not.
     *
     * @param isShared whether another case has the same simple name: then the whole one
     *     distinguishes them
     */
    void caseName(Class<?> type, boolean isShared) {
        if (labels == Labels.NUMBERS) {
            text.append(isShared ? type.getName() : type.getSimpleName()).append(':');
        }
    }
}
