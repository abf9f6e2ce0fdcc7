package io.dxnet;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a node: immutable, checked when it is made. Every value can be set in the
 * {@link Builder}, in a properties file ({@link Builder#load}) and as a system property
 * {@code -Ddxnet.<key>=value} ({@link Builder#systemProperties}); the method's name is the key,
 * {@link ConfigKey} the table. Sizes may have a suffix K, M or G. Keys with a transport's prefix
 * ({@code nio.}, {@code shm.}, {@code ib.}) are that transport's options: it documents and checks
 * them.
 *
 * <p>It has more than 400 lines: a value needs an accessor and a setter, with their documentation.
 */
public final class DXNetConfig {
    /** The sizes of pooled receive buffers, bytes, largest first (DXNet §VI). */
    public static final int LARGE_BUFFER_BYTES = 256 << 10;

    /** See {@link #LARGE_BUFFER_BYTES}. */
    public static final int MEDIUM_BUFFER_BYTES = 128 << 10;

    /** See {@link #LARGE_BUFFER_BYTES}. */
    public static final int SMALL_BUFFER_BYTES = 16 << 10;

    /**
     * What {@link #incomingBytesMax()} must have beyond {@link #maxMessageBytes()}: the
     * buffers in which the largest message begins and ends, one for what other
     * connections send meanwhile, and rounding.
     */
    public static final int RECEIVE_MARGIN_BYTES = 3 * LARGE_BUFFER_BYTES + SMALL_BUFFER_BYTES;

    private static final ConfigKey[] KEYS = ConfigKey.values();
    private static final long LATENCY_PARK_AFTER_MS = 60_000; // as long as idleYieldUs then

    private final Object[] values; // by the key's ordinal
    private final Object[] given; // the same, null where the builder has none
    private final long[] numbers; // the same of numbers and booleans, so that reading one follows no reference
    private final ErrorHandler errorHandler;
    private final @Nullable KeySource keySource;
    private final Map<String, String> transportOptions;

    private DXNetConfig(
            Object[] values,
            Object[] given,
            ErrorHandler errorHandler,
            @Nullable KeySource keySource,
            Map<String, String> transportOptions) {
        this.values = values;
        this.given = given;
        this.numbers = new long[values.length];
        for (ConfigKey key : KEYS) {
            Object value = values[key.ordinal()];
            key.check(value);
            numbers[key.ordinal()] = value instanceof Long number ? number : Boolean.TRUE.equals(value) ? 1 : 0;
        }
        this.errorHandler = Objects.requireNonNull(errorHandler, "errorHandler");
        this.keySource = keySource;
        this.transportOptions = Map.copyOf(transportOptions);
        checkReceiveMemory();
        checkKeySource();
    }

    private void checkReceiveMemory() {
        if (incomingBytesMax() - RECEIVE_MARGIN_BYTES < maxMessageBytes()) {
            throw new ConfigurationException("incomingBytesMax=" + incomingBytesMax()
                    + " can't hold a message of maxMessageBytes="
                    + maxMessageBytes() + ": raise incomingBytesMax to at least "
                    + (maxMessageBytes() + (long) RECEIVE_MARGIN_BYTES) + " or lower maxMessageBytes to at most "
                    + (incomingBytesMax() - RECEIVE_MARGIN_BYTES)
                    + "; where only one of the two is set, the other follows");
        }
    }

    private void checkKeySource() {
        if (keySource != null && !keyFile().isEmpty()) {
            throw new ConfigurationException(
                    "keyFile=" + keyFile() + " and a keySource are set: the cluster's key has one place");
        }
    }

    private long number(ConfigKey key) {
        return numbers[key.ordinal()];
    }

    /**
     * A builder with every value at its default.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A builder with the values that were given for this configuration: those that follow from
     * others follow in the next one.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        System.arraycopy(given, 0, builder.values, 0, given.length);
        builder.errorHandler = errorHandler;
        builder.keySource = keySource;
        builder.transportOptions.putAll(transportOptions);
        return builder;
    }

    /**
     * {@return whether a value was given for a key; if not, it is the default, or follows from
     * others}
     *
     * @param key the key
     */
    public boolean isGiven(ConfigKey key) {
        return given[key.ordinal()] != null;
    }

    /**
     * The value of a key.
     *
     * @param key the key
     * @return a {@code String}, {@code Boolean}, {@code Long} or an enum's constant
     */
    public Object value(ConfigKey key) {
        return values[key.ordinal()];
    }

    /**
     * {@return which transport carries the bytes: {@code auto} (ib or nio, the best that can run
     * here), {@code ib} (InfiniBand and RoCE, Ibdxnet), {@code nio} (TCP, EthDXNet), {@code shm}
     * (processes of one host), {@code loopback} (this process only, DXNet §XII); default auto}
     */
    public String transport() {
        return (String) values[ConfigKey.TRANSPORT.ordinal()];
    }

    /**
     * {@return nodes of another cluster are refused at the handshake; 1
     * to 64 characters; default dxnet}
     */
    public String clusterName() {
        return (String) values[ConfigKey.CLUSTER_NAME.ordinal()];
    }

    /**
     * {@return how nodes know each other; equal on all nodes; default LOCAL: not at all, and the
     * node starts only where it listens on a loopback address}
     */
    public SecurityMode security() {
        return (SecurityMode) values[ConfigKey.SECURITY.ordinal()];
    }

    /**
     * {@return the file with the cluster's key for {@code security=key}: a line in Base64 for each
     * of at most two keys, of at least 32 bytes each; empty lines and those that start with # do
     * not count; no other user may read or write it (0600); up to 4096 characters; default empty:
     * no file}
     */
    public String keyFile() {
        return (String) values[ConfigKey.KEY_FILE.ordinal()];
    }

    /**
     * {@return the environment variable with the cluster's key for {@code security=key}, used where
     * there is neither a {@link #keyFile()} nor a {@link #keySource()}: one or two keys in Base64,
     * separated by a comma or white space; 1 to 64 characters; default DXNET_KEY}
     */
    public String keyVariable() {
        return (String) values[ConfigKey.KEY_VARIABLE.ordinal()];
    }

    /**
     * {@return the store in the format PKCS12 with this node's key and certificate for
     * {@code security=tls}; the certificate names the node; no other user may read or write it
     * (0600); up to 4096 characters; default empty: none}
     */
    public String tlsKeyStore() {
        return (String) values[ConfigKey.TLS_KEY_STORE.ordinal()];
    }

    /**
     * {@return the store in the format PKCS12 with the certificate authorities of the cluster for
     * {@code security=tls}, two while they are changed; up to 4096 characters; default empty: none}
     */
    public String tlsTrustStore() {
        return (String) values[ConfigKey.TLS_TRUST_STORE.ordinal()];
    }

    /**
     * {@return the file with the password of both stores for {@code security=tls}; no other user
     * may read or write it (0600); up to 4096 characters; default empty: no file}
     */
    public String tlsPasswordFile() {
        return (String) values[ConfigKey.TLS_PASSWORD_FILE.ordinal()];
    }

    /**
     * {@return the environment variable with the password of both stores for {@code security=tls},
     * used where there is no {@link #tlsPasswordFile()}; 1 to 64 characters; default
     * DXNET_TLS_PASSWORD}
     */
    public String tlsPasswordVariable() {
        return (String) values[ConfigKey.TLS_PASSWORD_VARIABLE.ordinal()];
    }

    /** {@return the defaults of keys that are not set; default STANDARD} */
    public ConfigProfile profile() {
        return (ConfigProfile) values[ConfigKey.PROFILE.ordinal()];
    }

    /** {@return which threads drive the stages; default AUTO} */
    public ThreadingLayout threadingLayout() {
        return (ThreadingLayout) values[ConfigKey.THREADING_LAYOUT.ordinal()];
    }

    /** {@return what idle threads do (DXNet §VII); default ADAPTIVE} */
    public ParkingStrategy parkingStrategy() {
        return (ParkingStrategy) values[ConfigKey.PARKING_STRATEGY.ordinal()];
    }

    /**
     * {@return message handler threads (DXNet §VI); 0: one in the fused layout, else a quarter of
     * the cores, 1 to 16; 0 to 128; default 0}
     */
    public int handlers() {
        return (int) number(ConfigKey.HANDLERS);
    }

    /**
     * {@return whether a sending thread that finds the transport idle writes to it itself, which
     * saves a thread hop of the round trip; default true}
     */
    public boolean sendByCaller() {
        return number(ConfigKey.SEND_BY_CALLER) != 0;
    }

    /**
     * {@return size of a connection's outgoing ring buffer (DXNet §IV: 1 and 4 MB), bytes, a power
     * of two; 4 KiB to 1 GiB; default 1 MiB}
     */
    public int ringBytes() {
        return (int) number(ConfigKey.RING_BYTES);
    }

    /**
     * {@return entries of a ring's catch-up buffer (DXNet §IV-B: 1000): messages being written at
     * once, a power of two; 16 to 8192; default 1024}
     */
    public int commitSlots() {
        return (int) number(ConfigKey.COMMIT_SLOTS);
    }

    /**
     * {@return the largest payload that is sent or accepted, bytes; 1 KiB to 2 GiB - 1 KiB, and at
     * most {@code incomingBytesMax} less {@link #RECEIVE_MARGIN_BYTES}; default 128 MiB, or five
     * eighths of an {@code incomingBytesMax} that is set and too small for that}
     */
    public int maxMessageBytes() {
        return (int) number(ConfigKey.MAX_MESSAGE_BYTES);
    }

    /**
     * {@return a sender stops at this many unconfirmed bytes (DXNet §X); equal on all nodes;
     * 16 KiB to 1 GiB; default 4 MiB}
     */
    public int flowControlWindowBytes() {
        return (int) number(ConfigKey.FLOW_CONTROL_WINDOW_BYTES);
    }

    /**
     * {@return the receiver confirms in steps of this part of the window (DXNet §X: 60), percent;
     * equal on all nodes; 1 to 100; default 25}
     */
    public int flowControlThresholdPercent() {
        return (int) number(ConfigKey.FLOW_CONTROL_THRESHOLD_PERCENT);
    }

    /**
     * {@return open connections; one more dismisses the least recently used (DXNet
     * §IX); 1 to 65535; default 100}
     */
    public int maxConnections() {
        return (int) number(ConfigKey.MAX_CONNECTIONS);
    }

    /**
     * {@return the longest wait for another node that is asked for a connection, milliseconds; a
     * sender whose connection ends meanwhile asks again, for this time and {@code
     * closeTimeoutMs}; 10 to 600000; default 5000}
     */
    public int connectTimeoutMs() {
        return (int) number(ConfigKey.CONNECT_TIMEOUT_MS);
    }

    /**
     * {@return the longest wait of a sender for a peer that receives nothing,
     * milliseconds; 10 to 3600000; default 10000}
     */
    public int sendTimeoutMs() {
        return (int) number(ConfigKey.SEND_TIMEOUT_MS);
    }

    /**
     * {@return the longest wait for a response where the call names none,
     * milliseconds; 1 to 3600000; default 5000}
     */
    public int requestTimeoutMs() {
        return (int) number(ConfigKey.REQUEST_TIMEOUT_MS);
    }

    /**
     * {@return the longest time without progress in the graceful end of a connection,
     * and the longest time in which {@link DXNet#close} ends all of them,
     * milliseconds; 0 to 600000; default 5000}
     */
    public int closeTimeoutMs() {
        return (int) number(ConfigKey.CLOSE_TIMEOUT_MS);
    }

    /**
     * {@return outstanding requests of this node; more wait for a free place; a power of
     * two; 16 to 1048576; default 65536}
     */
    public int requestMapEntries() {
        return (int) number(ConfigKey.REQUEST_MAP_ENTRIES);
    }

    /**
     * {@return received buffers that wait to be parsed (IBQ, DXNet §VI): beyond it, the transport
     * stops receiving; 16 to 1048576; default 2048}
     */
    public int incomingQueueBuffers() {
        return (int) number(ConfigKey.INCOMING_QUEUE_BUFFERS);
    }

    /** {@return the same limit in bytes; 64 KiB to 1 GiB; default 64 MiB} */
    public int incomingQueueBytes() {
        return (int) number(ConfigKey.INCOMING_QUEUE_BYTES);
    }

    /**
     * {@return batches of messages that wait for a handler (DXNet §VI), a power of
     * two; 16 to 1048576; default 1024}
     */
    public int headerStoreEntries() {
        return (int) number(ConfigKey.HEADER_STORE_ENTRIES);
    }

    /**
     * {@return messages of one batch (DXNet §VI: 25); a batch never spans
     * buffers; 1 to 4096; default 32}
     */
    public int headerBatch() {
        return (int) number(ConfigKey.HEADER_BATCH);
    }

    /**
     * {@return pooled receive buffers of 256 KiB that are there from the start (DXNet §VI); more
     * are made when needed, up to {@code incomingBytesMax}; 1 to 65536; default 8}
     */
    public int largeBuffers() {
        return (int) number(ConfigKey.LARGE_BUFFERS);
    }

    /** {@return the same of 128 KiB (DXNet §VI: 256); 1 to 65536; default 64} */
    public int mediumBuffers() {
        return (int) number(ConfigKey.MEDIUM_BUFFERS);
    }

    /** {@return the same of 16 KiB (DXNet §VI: 4096); 1 to 65536; default 256} */
    public int smallBuffers() {
        return (int) number(ConfigKey.SMALL_BUFFERS);
    }

    /**
     * {@return the most memory for the engine's receive buffers, bytes: as it runs out, transports
     * stop receiving, except the rest of the oldest incomplete message; 1 MiB to 1 TiB, and at
     * least {@code maxMessageBytes} plus {@link #RECEIVE_MARGIN_BYTES}; default 1 GiB, or eight
     * fifths of a {@code maxMessageBytes} that is set and too large for that}
     */
    public long incomingBytesMax() {
        return number(ConfigKey.INCOMING_BYTES_MAX);
    }

    /**
     * {@return idle threads park at once when active threads exceed this multiple of the cores
     * (DXNet §VII); 1 to 1024; default 4}
     */
    public int overprovisioningFactor() {
        return (int) number(ConfigKey.OVERPROVISIONING_FACTOR);
    }

    /**
     * {@return how long a blocked thread parks between two polls (DXNet §VII: 10 to 30 µs),
     * nanoseconds; 1000 to 1000000; default 20000}
     */
    public int parkNs() {
        return (int) number(ConfigKey.PARK_NS);
    }

    /**
     * {@return how long a transport's thread spins after work (Ibdxnet §7.2.5),
     * microseconds; 0 to 60000000; default 20}
     */
    public int idleSpinUs() {
        return (int) number(ConfigKey.IDLE_SPIN_US);
    }

    /**
     * {@return how long it yields between its polls after that, before it sleeps,
     * microseconds; 0 to 60000000; default 100}
     */
    public int idleYieldUs() {
        return (int) number(ConfigKey.IDLE_YIELD_US);
    }

    /**
     * {@return where each thread has a core: how long an idle thread spins before it parks (DXNet
     * §VII: one second), milliseconds; 0 to 600000; default 1000}
     */
    public int idleParkAfterMs() {
        return (int) number(ConfigKey.IDLE_PARK_AFTER_MS);
    }

    /**
     * {@return what receives the exceptions of callbacks; default {@link ErrorHandler#logging()}}
     */
    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    /**
     * {@return what returns the cluster's key for {@code security=key}; default null: it is in
     * {@link #keyFile()} or {@link #keyVariable()}}
     */
    public @Nullable KeySource keySource() {
        return keySource;
    }

    /** {@return keys with a transport's prefix, and their values; unmodifiable} */
    public Map<String, String> transportOptions() {
        return transportOptions;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DXNetConfig that
                && Arrays.equals(values, that.values)
                && errorHandler.equals(that.errorHandler)
                && Objects.equals(keySource, that.keySource)
                && transportOptions.equals(that.transportOptions);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** {@return the keys whose values are not the defaults, and the transports' options} */
    @Override
    public String toString() {
        Map<String, String> texts = new TreeMap<>(transportOptions);
        for (ConfigKey key : KEYS) {
            Object value = values[key.ordinal()];
            if (!value.equals(key.standard())) {
                texts.put(key.key(), key.text(value));
            }
        }
        return "DXNetConfig" + texts;
    }

    /** Collects values; {@link #build} checks them. Not for several threads. */
    public static final class Builder {
        private static final String PREFIX = "dxnet.";

        private final Object[] values = new Object[KEYS.length]; // null: the default
        private ErrorHandler errorHandler = ErrorHandler.logging();
        private @Nullable KeySource keySource;
        private final Map<String, String> transportOptions = new HashMap<>();

        private Builder() {}

        private Builder put(ConfigKey key, Object value) {
            values[key.ordinal()] = Objects.requireNonNull(value, key.key());
            return this;
        }

        /**
         * Sets {@link DXNetConfig#transport()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder transport(String value) {
            return put(ConfigKey.TRANSPORT, value);
        }

        /**
         * Sets {@link DXNetConfig#clusterName()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder clusterName(String value) {
            return put(ConfigKey.CLUSTER_NAME, value);
        }

        /**
         * Sets {@link DXNetConfig#security()}.
         *
         * @param value how nodes know each other
         * @return this builder
         */
        public Builder security(SecurityMode value) {
            return put(ConfigKey.SECURITY, value);
        }

        /**
         * Sets {@link DXNetConfig#keyFile()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder keyFile(String value) {
            return put(ConfigKey.KEY_FILE, value);
        }

        /**
         * Sets {@link DXNetConfig#keyVariable()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder keyVariable(String value) {
            return put(ConfigKey.KEY_VARIABLE, value);
        }

        /**
         * Sets {@link DXNetConfig#tlsKeyStore()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder tlsKeyStore(String value) {
            return put(ConfigKey.TLS_KEY_STORE, value);
        }

        /**
         * Sets {@link DXNetConfig#tlsTrustStore()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder tlsTrustStore(String value) {
            return put(ConfigKey.TLS_TRUST_STORE, value);
        }

        /**
         * Sets {@link DXNetConfig#tlsPasswordFile()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder tlsPasswordFile(String value) {
            return put(ConfigKey.TLS_PASSWORD_FILE, value);
        }

        /**
         * Sets {@link DXNetConfig#tlsPasswordVariable()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder tlsPasswordVariable(String value) {
            return put(ConfigKey.TLS_PASSWORD_VARIABLE, value);
        }

        /**
         * Sets {@link DXNetConfig#keySource()}.
         *
         * @param value returns the cluster's key; null: it is in a file or a variable
         * @return this builder
         */
        public Builder keySource(@Nullable KeySource value) {
            this.keySource = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#profile()}: a key that is set, before or afterwards, keeps its
         * value.
         *
         * @param value which defaults
         * @return this builder
         */
        public Builder profile(ConfigProfile value) {
            return put(ConfigKey.PROFILE, value);
        }

        /**
         * Sets {@link DXNetConfig#threadingLayout()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder threadingLayout(ThreadingLayout value) {
            return put(ConfigKey.THREADING_LAYOUT, value);
        }

        /**
         * Sets {@link DXNetConfig#parkingStrategy()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder parkingStrategy(ParkingStrategy value) {
            return put(ConfigKey.PARKING_STRATEGY, value);
        }

        /**
         * Sets {@link DXNetConfig#handlers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder handlers(int value) {
            return put(ConfigKey.HANDLERS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#sendByCaller()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder sendByCaller(boolean value) {
            return put(ConfigKey.SEND_BY_CALLER, value);
        }

        /**
         * Sets {@link DXNetConfig#ringBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder ringBytes(int value) {
            return put(ConfigKey.RING_BYTES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#commitSlots()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder commitSlots(int value) {
            return put(ConfigKey.COMMIT_SLOTS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#maxMessageBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder maxMessageBytes(int value) {
            return put(ConfigKey.MAX_MESSAGE_BYTES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#flowControlWindowBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder flowControlWindowBytes(int value) {
            return put(ConfigKey.FLOW_CONTROL_WINDOW_BYTES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#flowControlThresholdPercent()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder flowControlThresholdPercent(int value) {
            return put(ConfigKey.FLOW_CONTROL_THRESHOLD_PERCENT, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#maxConnections()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder maxConnections(int value) {
            return put(ConfigKey.MAX_CONNECTIONS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#connectTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder connectTimeoutMs(int value) {
            return put(ConfigKey.CONNECT_TIMEOUT_MS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#sendTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder sendTimeoutMs(int value) {
            return put(ConfigKey.SEND_TIMEOUT_MS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#requestTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder requestTimeoutMs(int value) {
            return put(ConfigKey.REQUEST_TIMEOUT_MS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#closeTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder closeTimeoutMs(int value) {
            return put(ConfigKey.CLOSE_TIMEOUT_MS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#requestMapEntries()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder requestMapEntries(int value) {
            return put(ConfigKey.REQUEST_MAP_ENTRIES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#incomingQueueBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingQueueBuffers(int value) {
            return put(ConfigKey.INCOMING_QUEUE_BUFFERS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#incomingQueueBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingQueueBytes(int value) {
            return put(ConfigKey.INCOMING_QUEUE_BYTES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#headerStoreEntries()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder headerStoreEntries(int value) {
            return put(ConfigKey.HEADER_STORE_ENTRIES, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#headerBatch()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder headerBatch(int value) {
            return put(ConfigKey.HEADER_BATCH, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#largeBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder largeBuffers(int value) {
            return put(ConfigKey.LARGE_BUFFERS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#mediumBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder mediumBuffers(int value) {
            return put(ConfigKey.MEDIUM_BUFFERS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#smallBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder smallBuffers(int value) {
            return put(ConfigKey.SMALL_BUFFERS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#incomingBytesMax()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingBytesMax(long value) {
            return put(ConfigKey.INCOMING_BYTES_MAX, value);
        }

        /**
         * Sets {@link DXNetConfig#overprovisioningFactor()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder overprovisioningFactor(int value) {
            return put(ConfigKey.OVERPROVISIONING_FACTOR, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#parkNs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder parkNs(int value) {
            return put(ConfigKey.PARK_NS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#idleSpinUs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder idleSpinUs(int value) {
            return put(ConfigKey.IDLE_SPIN_US, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#idleYieldUs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder idleYieldUs(int value) {
            return put(ConfigKey.IDLE_YIELD_US, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#idleParkAfterMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder idleParkAfterMs(int value) {
            return put(ConfigKey.IDLE_PARK_AFTER_MS, (long) value);
        }

        /**
         * Sets {@link DXNetConfig#errorHandler()}.
         *
         * @param value gets what callbacks throw
         * @return this builder
         */
        public Builder errorHandler(ErrorHandler value) {
            this.errorHandler = value;
            return this;
        }

        /**
         * Sets a transport's option.
         *
         * @param key with the transport's prefix, {@code nio.socketBufferBytes}
         * @param value as the transport documents it
         * @return this builder
         * @throws ConfigurationException when the key has no prefix; one that no transport has is
         *     refused when the node starts
         */
        public Builder transportOption(String key, String value) {
            if (key.indexOf('.') <= 0) {
                throw new ConfigurationException(
                        key + "=" + value + ": an option of a transport begins with its name, as"
                                + " nio.socketBufferBytes; other keys have methods of their own, and set()");
            }
            transportOptions.put(key, Objects.requireNonNull(value, key));
            return this;
        }

        /**
         * Sets a value by its key.
         *
         * @param key a {@link ConfigKey#key()}, or one with a transport's
         *     prefix; without {@code dxnet.}
         * @param value its text
         * @return this builder
         * @throws ConfigurationException when there is no such key, or the
         *     text is not a value of its type
         */
        public Builder set(String key, String value) {
            String text = value.strip();
            ConfigKey known = ConfigKey.of(key);
            if (known != null) {
                return put(known, known.parse(text));
            }
            if (key.indexOf('.') <= 0) {
                throw new ConfigurationException(
                        key + "=" + value + ": there is no such key; ./dxnet info --config and ConfigKey list them");
            }
            return transportOption(key, text);
        }

        /**
         * Sets every value of a properties file; keys may have the prefix {@code dxnet.}.
         *
         * @param file the file
         * @return this builder
         * @throws ConfigurationException when a key or value is wrong, or an escape sequence, or a
         *     key is there twice
         * @throws UncheckedIOException when the file can't be read, or is not UTF-8
         */
        public Builder load(Path file) {
            Properties properties = new UniqueProperties(PREFIX);
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new UncheckedIOException("can't read the configuration " + file + ": " + e.getMessage(), e);
            } catch (IllegalArgumentException e) { // an escape sequence, or a key that is there twice
                throw new ConfigurationException(file + " is no configuration: " + e.getMessage(), e);
            }
            for (String key : properties.stringPropertyNames()) {
                set(key, properties.getProperty(key));
            }
            return this;
        }

        /**
         * Sets every value that is given as a system property {@code dxnet.<key>}.
         *
         * @return this builder
         * @throws ConfigurationException when a key or value is wrong
         */
        public Builder systemProperties() {
            for (String key : System.getProperties().stringPropertyNames()) {
                if (key.startsWith(PREFIX) && !key.equals(NodeMap.PROPERTY) && !isOfTools(key)) {
                    set(key.substring(PREFIX.length()), System.getProperty(key));
                }
            }
            return this;
        }

        /** Properties that the project's own tools and tests read. */
        private static boolean isOfTools(String key) {
            return key.startsWith(PREFIX + "tools.") || key.startsWith(PREFIX + "test.");
        }

        /**
         * Checks the values.
         *
         * @return the configuration
         * @throws ConfigurationException naming key, value and allowed range
         */
        public DXNetConfig build() {
            Object[] all = values.clone();
            if (all[ConfigKey.PROFILE.ordinal()] == ConfigProfile.LATENCY) {
                setDefault(all, ConfigKey.IDLE_YIELD_US, ConfigKey.IDLE_YIELD_US.max());
                setDefault(all, ConfigKey.IDLE_PARK_AFTER_MS, LATENCY_PARK_AFTER_MS);
            }
            for (ConfigKey key : KEYS) {
                setDefault(all, key, key.standard());
            }
            Object message = values[ConfigKey.MAX_MESSAGE_BYTES.ordinal()];
            Object memory = values[ConfigKey.INCOMING_BYTES_MAX.ordinal()];
            if (message == null && memory != null) {
                all[ConfigKey.MAX_MESSAGE_BYTES.ordinal()] = fitting((Long) memory);
            } else if (memory == null && message != null) {
                all[ConfigKey.INCOMING_BYTES_MAX.ordinal()] = Math.max(
                        (Long) ConfigKey.INCOMING_BYTES_MAX.standard(), (Long) message / 5 * 8 + RECEIVE_MARGIN_BYTES);
            }
            return new DXNetConfig(all, values.clone(), errorHandler, keySource, transportOptions);
        }

        private static void setDefault(Object[] values, ConfigKey key, Object value) {
            if (values[key.ordinal()] == null) {
                values[key.ordinal()] = value;
            }
        }

        /** The largest message for so much receive memory. */
        private static long fitting(long memory) {
            ConfigKey key = ConfigKey.MAX_MESSAGE_BYTES;
            return Math.clamp(
                    Math.min(memory / 8 * 5, memory - RECEIVE_MARGIN_BYTES), key.min(), (Long) key.standard());
        }
    }
}
