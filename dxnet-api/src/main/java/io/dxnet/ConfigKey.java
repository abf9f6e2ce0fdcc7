package io.dxnet;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys of {@link DXNetConfig}: name, default, allowed values and meaning of each, in one place.
 * The builder, properties files, system properties, the checks, their errors and
 * {@code ./dxnet info --config} use this table.
 *
 * <p>It has more than 400 lines: the table of all keys.
 */
public enum ConfigKey {
    /** {@link DXNetConfig#transport()}. */
    TRANSPORT(
            "transport",
            "auto",
            "which transport carries the bytes: auto (the best that can run here), loopback "
                    + "(this process only, DXNet §XII), nio (TCP, EthDXNet), shm (processes of one host), "
                    + "ib (InfiniBand and RoCE, Ibdxnet)"),

    /** {@link DXNetConfig#clusterName()}. */
    CLUSTER_NAME("clusterName", "dxnet", "nodes of another cluster are refused at the handshake"),

    /** {@link DXNetConfig#security()}. */
    SECURITY(
            "security",
            SecurityMode.LOCAL,
            "how nodes know each other: local (not at all, and a node listens on loopback only), none (not at all), "
                    + "key (a key of the cluster), tls (certificates); equal on all nodes"),

    /** {@link DXNetConfig#keyFile()}. */
    KEY_FILE(
            "keyFile",
            Rule.FILE,
            "",
            "file with the cluster's key, or two while it is changed, for security=key: a line in Base64 each; "
                    + "readable by its owner alone"),

    /** {@link DXNetConfig#keyVariable()}. */
    KEY_VARIABLE(
            "keyVariable",
            "DXNET_KEY",
            "environment variable with the same, for security=key where there is neither keyFile nor a KeySource"),

    /** {@link DXNetConfig#tlsKeyStore()}. */
    TLS_KEY_STORE(
            "tlsKeyStore",
            Rule.FILE,
            "",
            "PKCS12 store with this node's key and certificate, for security=tls; readable by its owner alone"),

    /** {@link DXNetConfig#tlsTrustStore()}. */
    TLS_TRUST_STORE(
            "tlsTrustStore",
            Rule.FILE,
            "",
            "PKCS12 store with the cluster's certificate authorities, for security=tls"),

    /** {@link DXNetConfig#tlsPasswordFile()}. */
    TLS_PASSWORD_FILE(
            "tlsPasswordFile",
            Rule.FILE,
            "",
            "file with the password of both stores, for security=tls; readable by its owner alone"),

    /** {@link DXNetConfig#tlsPasswordVariable()}. */
    TLS_PASSWORD_VARIABLE(
            "tlsPasswordVariable",
            "DXNET_TLS_PASSWORD",
            "environment variable with the same, for security=tls where there is no tlsPasswordFile"),

    /** {@link DXNetConfig#profile()}. */
    PROFILE(
            "profile",
            ConfigProfile.STANDARD,
            "defaults for a purpose, of keys that are not set: standard, or latency (idleYieldUs=60000000, "
                    + "idleParkAfterMs=60000)"),

    /** {@link DXNetConfig#threadingLayout()}. */
    THREADING_LAYOUT("threadingLayout", ThreadingLayout.AUTO, "which threads drive the stages"),

    /** {@link DXNetConfig#parkingStrategy()}. */
    PARKING_STRATEGY("parkingStrategy", ParkingStrategy.ADAPTIVE, "what idle threads do (DXNet §VII)"),

    /** {@link DXNetConfig#handlers()}. */
    HANDLERS(
            "handlers",
            Unit.COUNT,
            0,
            0,
            128,
            Rule.RANGE,
            "message handler threads (DXNet §VI); 0: one with threadingLayout=fused, else a quarter of the cores,"
                    + " 1 to 16"),

    /** {@link DXNetConfig#sendByCaller()}. */
    SEND_BY_CALLER(
            "sendByCaller",
            true,
            "whether a sending thread writes to the wire itself where no other thread does, "
                    + "which saves a thread hop of the round trip"),

    /** {@link DXNetConfig#ringBytes()}. */
    RING_BYTES(
            "ringBytes",
            Unit.BYTES,
            1L << 20,
            4L << 10,
            1L << 30,
            Rule.POWER_OF_TWO,
            "size of a connection's outgoing ring buffer (DXNet §IV: 1 and 4 MB)"),

    /** {@link DXNetConfig#commitSlots()}. */
    COMMIT_SLOTS(
            "commitSlots",
            Unit.COUNT,
            1024,
            16,
            8192,
            Rule.POWER_OF_TWO,
            "entries of a ring's catch-up buffer (DXNet §IV-B: 1000): messages being written at once"),

    /** {@link DXNetConfig#maxMessageBytes()}. */
    MAX_MESSAGE_BYTES(
            "maxMessageBytes",
            Unit.BYTES,
            128L << 20,
            1L << 10,
            2097151L << 10,
            Rule.RANGE,
            "the largest payload that is sent or accepted: at most incomingBytesMax less "
                    + "RECEIVE_MARGIN_BYTES; by default five eighths of an incomingBytesMax that is set "
                    + "and too small for the default"),

    /** {@link DXNetConfig#flowControlWindowBytes()}. */
    FLOW_CONTROL_WINDOW_BYTES(
            "flowControlWindowBytes",
            Unit.BYTES,
            4L << 20,
            16L << 10,
            1L << 30,
            Rule.RANGE,
            "a sender stops at this many unconfirmed bytes (DXNet §X); equal on all nodes"),

    /** {@link DXNetConfig#flowControlThresholdPercent()}. */
    FLOW_CONTROL_THRESHOLD_PERCENT(
            "flowControlThresholdPercent",
            Unit.PERCENT,
            25,
            1,
            100,
            Rule.RANGE,
            "the receiver confirms in steps of this part of the window (DXNet §X: 60); equal on all nodes"),

    /** {@link DXNetConfig#maxConnections()}. */
    MAX_CONNECTIONS(
            "maxConnections",
            Unit.COUNT,
            100,
            1,
            65535,
            Rule.RANGE,
            "open connections; one more dismisses the least recently used (DXNet §IX)"),

    /** {@link DXNetConfig#connectTimeoutMs()}. */
    CONNECT_TIMEOUT_MS(
            "connectTimeoutMs",
            Unit.MILLISECONDS,
            5000,
            10,
            600000,
            Rule.RANGE,
            "the longest wait for another node that is asked for a connection; a sender whose "
                    + "connection ends meanwhile asks again, for this time and closeTimeoutMs"),

    /** {@link DXNetConfig#sendTimeoutMs()}. */
    SEND_TIMEOUT_MS(
            "sendTimeoutMs",
            Unit.MILLISECONDS,
            10000,
            10,
            3600000,
            Rule.RANGE,
            "the longest wait of a sender for a peer that receives nothing"),

    /** {@link DXNetConfig#requestTimeoutMs()}. */
    REQUEST_TIMEOUT_MS(
            "requestTimeoutMs",
            Unit.MILLISECONDS,
            5000,
            1,
            3600000,
            Rule.RANGE,
            "the longest wait for a response where the call names none"),

    /** {@link DXNetConfig#closeTimeoutMs()}. */
    CLOSE_TIMEOUT_MS(
            "closeTimeoutMs",
            Unit.MILLISECONDS,
            5000,
            0,
            600000,
            Rule.RANGE,
            "the longest time without progress while a connection ends in order, and the "
                    + "longest time in which DXNet.close ends all of them"),

    /** {@link DXNetConfig#requestMapEntries()}. */
    REQUEST_MAP_ENTRIES(
            "requestMapEntries",
            Unit.COUNT,
            65536,
            16,
            1048576,
            Rule.POWER_OF_TWO,
            "outstanding requests of this node; more wait for a free place"),

    /** {@link DXNetConfig#incomingQueueBuffers()}. */
    INCOMING_QUEUE_BUFFERS(
            "incomingQueueBuffers",
            Unit.COUNT,
            2048,
            16,
            1048576,
            Rule.RANGE,
            "received buffers that wait to be parsed (IBQ, DXNet §VI): beyond it, the transport stops receiving"),

    /** {@link DXNetConfig#incomingQueueBytes()}. */
    INCOMING_QUEUE_BYTES(
            "incomingQueueBytes", Unit.BYTES, 64L << 20, 64L << 10, 1L << 30, Rule.RANGE, "the same limit in bytes"),

    /** {@link DXNetConfig#headerStoreEntries()}. */
    HEADER_STORE_ENTRIES(
            "headerStoreEntries",
            Unit.COUNT,
            1024,
            16,
            1048576,
            Rule.POWER_OF_TWO,
            "batches of messages that wait for a handler (DXNet §VI)"),

    /** {@link DXNetConfig#headerBatch()}. */
    HEADER_BATCH(
            "headerBatch",
            Unit.COUNT,
            32,
            1,
            4096,
            Rule.RANGE,
            "messages of one batch (DXNet §VI: 25); a batch never spans buffers"),

    /** {@link DXNetConfig#largeBuffers()}. */
    LARGE_BUFFERS(
            "largeBuffers",
            Unit.COUNT,
            8,
            1,
            65536,
            Rule.RANGE,
            "pooled receive buffers of 256 KiB that are there from the start (DXNet §VI); "
                    + "more are made when needed, up to incomingBytesMax"),

    /** {@link DXNetConfig#mediumBuffers()}. */
    MEDIUM_BUFFERS("mediumBuffers", Unit.COUNT, 64, 1, 65536, Rule.RANGE, "the same of 128 KiB (DXNet §VI: 256)"),

    /** {@link DXNetConfig#smallBuffers()}. */
    SMALL_BUFFERS("smallBuffers", Unit.COUNT, 256, 1, 65536, Rule.RANGE, "the same of 16 KiB (DXNet §VI: 4096)"),

    /** {@link DXNetConfig#incomingBytesMax()}. */
    INCOMING_BYTES_MAX(
            "incomingBytesMax",
            Unit.BYTES,
            1L << 30,
            1L << 20,
            1L << 40,
            Rule.RANGE,
            "the most memory for the engine's receive buffers: as it runs out, transports "
                    + "stop receiving, except the rest of the oldest incomplete message; at least "
                    + "maxMessageBytes plus RECEIVE_MARGIN_BYTES; by default eight fifths of a "
                    + "maxMessageBytes that is set and too large for the default"),

    /** {@link DXNetConfig#overprovisioningFactor()}. */
    OVERPROVISIONING_FACTOR(
            "overprovisioningFactor",
            Unit.COUNT,
            4,
            1,
            1024,
            Rule.RANGE,
            "idle threads park at once when active threads exceed this multiple of the cores (DXNet §VII)"),

    /** {@link DXNetConfig#parkNs()}. */
    PARK_NS(
            "parkNs",
            Unit.NANOSECONDS,
            20000,
            1000,
            1000000,
            Rule.RANGE,
            "how long a blocked thread parks between two polls (DXNet §VII: 10 to 30 µs)"),

    /** {@link DXNetConfig#idleSpinUs()}. */
    IDLE_SPIN_US(
            "idleSpinUs",
            Unit.MICROSECONDS,
            20,
            0,
            60000000,
            Rule.RANGE,
            "how long a transport's thread spins after work (Ibdxnet §7.2.5)"),

    /** {@link DXNetConfig#idleYieldUs()}. */
    IDLE_YIELD_US(
            "idleYieldUs",
            Unit.MICROSECONDS,
            100,
            0,
            60000000,
            Rule.RANGE,
            "how long it yields between its polls after that, before it sleeps"),

    /** {@link DXNetConfig#idleParkAfterMs()}. */
    IDLE_PARK_AFTER_MS(
            "idleParkAfterMs",
            Unit.MILLISECONDS,
            1000,
            0,
            600000,
            Rule.RANGE,
            "where each thread has a core: how long an idle thread spins before it parks (DXNet §VII: one second)");

    /** What a number counts. */
    public enum Unit {
        /** No unit. */
        COUNT(""),
        /** Bytes; the text of a value may have a suffix K, M or G. */
        BYTES("bytes"),
        /** Percent. */
        PERCENT("%"),
        /** Milliseconds. */
        MILLISECONDS("ms"),
        /** Microseconds. */
        MICROSECONDS("µs"),
        /** Nanoseconds. */
        NANOSECONDS("ns");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        private String inWords() {
            return symbol.isEmpty() ? "" : " of " + symbol;
        }

        /** {@return how it is written after a number; empty for {@link #COUNT}} */
        public String symbol() {
            return symbol;
        }
    }

    private enum Rule {
        RANGE,
        POWER_OF_TWO,
        /** A text that may be empty, and as long as a path. */
        FILE
    }

    private static final Map<String, ConfigKey> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ConfigKey::key, Function.identity()));
    private static final int TEXT_CHARS_MAX = 64;
    private static final int FILE_CHARS_MAX = 4096;

    private final String key;
    private final Object standard;
    private final Unit unit;
    private final long min;
    private final long max;
    private final Rule rule;
    private final String meaning;

    ConfigKey(String key, Object standard, String meaning) {
        this(key, Rule.RANGE, standard, meaning);
    }

    ConfigKey(String key, Rule rule, Object standard, String meaning) {
        this.key = key;
        this.standard = standard;
        this.unit = Unit.COUNT;
        this.min = 0;
        this.max = 0;
        this.rule = rule;
        this.meaning = meaning;
    }

    ConfigKey(String key, Unit unit, long standard, long min, long max, Rule rule, String meaning) {
        this.key = key;
        this.standard = standard;
        this.unit = unit;
        this.min = min;
        this.max = max;
        this.rule = rule;
        this.meaning = meaning;
    }

    /**
     * Finds a key by its name.
     *
     * @param name as in a properties file, without {@code dxnet.}
     * @return the key, or null when there is none
     */
    public static @Nullable ConfigKey of(String name) {
        return BY_NAME.get(name);
    }

    /** {@return the name, as in a properties file} */
    public String key() {
        return key;
    }

    /**
     * {@return the default: a {@code String}, {@code Boolean}, {@code Long} or an enum's constant}
     */
    public Object standard() {
        return standard;
    }

    /** {@return what the value means, one sentence} */
    public String meaning() {
        return meaning;
    }

    /** {@return the unit of a number} */
    public Unit unit() {
        return unit;
    }

    /** {@return whether the value is a number} */
    public boolean isNumber() {
        return standard instanceof Long;
    }

    /** {@return the smallest number that is allowed} */
    public long min() {
        return min;
    }

    /** {@return the largest number that is allowed} */
    public long max() {
        return max;
    }

    /** {@return whether a number must be a power of two} */
    public boolean isPowerOfTwo() {
        return rule == Rule.POWER_OF_TWO;
    }

    /** {@return the allowed values, for people} */
    public String allowed() {
        if (isNumber()) {
            return text(min) + " to " + text(max) + (isPowerOfTwo() ? ", a power of two" : "");
        }
        if (standard instanceof Enum<?> constant) {
            return names(constant.getDeclaringClass());
        }
        if (standard instanceof Boolean) {
            return "true, false";
        }
        return rule == Rule.FILE ? "a path, or nothing" : "1 to " + TEXT_CHARS_MAX + " characters";
    }

    /**
     * Writes a value as a properties file may have it.
     *
     * @param value a value of this key
     * @return its text; whole multiples of 1024 bytes with a suffix
     */
    public String text(Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        if (!(value instanceof Long number) || unit != Unit.BYTES || number == 0) {
            return value.toString();
        }
        int shift = Math.min(30, Long.numberOfTrailingZeros(number) / 10 * 10);
        return (number >> shift) + new String[] {"", "K", "M", "G"}[shift / 10];
    }

    /**
     * Reads a value of this key.
     *
     * @throws ConfigurationException when the text is not one of its type
     */
    Object parse(String text) {
        if (isNumber()) {
            return number(text);
        }
        if (standard instanceof Enum<?> constant) {
            for (Object each : constant.getDeclaringClass().getEnumConstants()) {
                if (((Enum<?>) each).name().equalsIgnoreCase(text)) {
                    return each;
                }
            }
            throw new ConfigurationException(key + "=" + text + ": allowed are " + names(constant.getDeclaringClass()));
        }
        if (standard instanceof Boolean) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new ConfigurationException(key + "=" + text + ": allowed are true and false");
            };
        }
        return text;
    }

    private boolean hasSuffixes() {
        return unit == Unit.BYTES;
    }

    private long number(String text) {
        int shift = text.isEmpty() || !hasSuffixes()
                ? 0
                : switch (text.charAt(text.length() - 1)) {
                    case 'K', 'k' -> 10;
                    case 'M', 'm' -> 20;
                    case 'G', 'g' -> 30;
                    default -> 0;
                };
        try {
            String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
            return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new ConfigurationException(
                    key + "=" + text + " is not a whole number"
                            + (hasSuffixes() ? " of bytes, with or without K, M or G" : unit.inWords()),
                    e);
        }
    }

    /**
     * Checks a value of this key.
     *
     * @throws ConfigurationException naming key, value and allowed range
     */
    void check(Object value) {
        Objects.requireNonNull(value, key);
        if (value instanceof Long number) {
            if (number < min || number > max) {
                throw new ConfigurationException(
                        key + "=" + number + " is not in the allowed range " + min + " to " + max);
            }
            if (isPowerOfTwo() && Long.bitCount(number) != 1) {
                throw new ConfigurationException(key + "=" + number + " is not a power of two; the next one is "
                        + Long.highestOneBit(number) * 2);
            }
        } else if (value instanceof String text) {
            checkLength(text, rule == Rule.FILE ? 0 : 1, rule == Rule.FILE ? FILE_CHARS_MAX : TEXT_CHARS_MAX);
        }
    }

    private void checkLength(String text, int charsMin, int charsMax) {
        if (text.length() < charsMin || text.length() > charsMax) {
            throw new ConfigurationException(key + "=" + text + " has " + text.length() + " characters: allowed are "
                    + charsMin + " to " + charsMax);
        }
    }

    private static String names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}
