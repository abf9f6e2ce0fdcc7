package io.dxnet;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * The configuration of a node: immutable, checked when it is made. Every value can be set in the {@link Builder}, in a
 * properties file ({@link Builder#load}) and as a system property {@code -Ddxnet.<key>=value}
 * ({@link Builder#systemProperties}); the component's name is the key. Sizes take the suffixes K, M and G. Keys with a
 * transport's prefix ({@code nio.}, {@code ib.}) are that transport's options: it documents and checks them.
 *
 * @param transport which transport carries the bytes: {@code auto} (the best that can run here), {@code loopback} (this process only, DXNet §XII), {@code nio} (TCP, EthDXNet); default auto
 * @param clusterName nodes of another cluster are refused at the handshake; 1 to 64 characters; default dxnet
 * @param threadingLayout which threads drive the stages; default AUTO
 * @param parkingStrategy what idle threads do (DXNet §VII); default ADAPTIVE
 * @param handlers message handler threads (DXNet §VI); 0 chooses from the cores; 0 to 128; default 0
 * @param sendByCaller whether a sending thread that finds the transport idle writes to it itself, which takes a thread hop out of the round trip; default true
 * @param orbBytes size of a connection's outgoing ring buffer (DXNet §IV: 1 and 4 MB), bytes, a power of two; 4 KiB to 1 GiB; default 1 MiB
 * @param cubEntries entries of a ring's catch-up buffer (DXNet §IV-B: 1000): messages being written at once, a power of two; 16 to 8192; default 1024
 * @param maxMessageBytes the largest payload that is sent or accepted, bytes; 1 KiB to 2 GiB - 1 KiB, and at most {@code incomingBytesMax} less {@link #RECEIVE_MARGIN_BYTES}; default 128 MiB, or five eighths of an {@code incomingBytesMax} that is set and too small for that
 * @param flowControlWindowBytes a sender stops at this many unconfirmed bytes (DXNet §X); equal on all nodes; 16 KiB to 1 GiB; default 4 MiB
 * @param flowControlThresholdPercent the receiver confirms in steps of this part of the window (DXNet §X: 60), percent; equal on all nodes; 1 to 100; default 25
 * @param maxConnections open connections; one more dismisses the least recently used (DXNet §IX); 1 to 65535; default 100
 * @param connectTimeoutMs the longest wait for another node that is asked for a connection, milliseconds; a sender whose connection ends meanwhile asks again, for this time and {@code closeTimeoutMs}; 10 to 600000; default 5000
 * @param sendTimeoutMs the longest wait of a sender for a peer that takes nothing, milliseconds; 10 to 3600000; default 10000
 * @param requestTimeoutMs the longest wait for a response where the call names none, milliseconds; 1 to 3600000; default 5000
 * @param closeTimeoutMs the longest time without progress in the graceful end of a connection, and the longest time in which {@link DXNet#close} ends all of them, milliseconds; 0 to 600000; default 5000
 * @param requestMapEntries outstanding requests of this node; more wait for a free place; a power of two; 16 to 1048576; default 65536
 * @param incomingQueueBuffers received buffers that wait to be parsed (IBQ, DXNet §VI): beyond it, the transport stops taking data; 16 to 1048576; default 2048
 * @param incomingQueueBytes the same limit in bytes; 64 KiB to 1 GiB; default 64 MiB
 * @param headerStoreEntries batches of messages that wait for a handler (DXNet §VI), a power of two; 16 to 1048576; default 1024
 * @param headerBatch messages of one batch (DXNet §VI: 25); a batch never spans buffers; 1 to 4096; default 32
 * @param largeBuffers pooled receive buffers of 256 KiB that are there from the start (DXNet §VI); more are made when needed, up to {@code incomingBytesMax}; 1 to 65536; default 8
 * @param mediumBuffers the same of 128 KiB (DXNet §VI: 256); 1 to 65536; default 64
 * @param smallBuffers the same of 16 KiB (DXNet §VI: 4096); 1 to 65536; default 256
 * @param incomingBytesMax the most memory for the engine's receive buffers, bytes: as it runs out, transports stop taking data, and the oldest incomplete message alone goes on until it is whole; 1 MiB to 1 TiB, and at least {@code maxMessageBytes} plus {@link #RECEIVE_MARGIN_BYTES}; default 1 GiB, or eight fifths of a {@code maxMessageBytes} that is set and too large for that
 * @param overprovisioningFactor idle threads park at once when active threads exceed this multiple of the cores (DXNet §VII); 1 to 1024; default 4
 * @param parkNs how long a blocked thread parks before it looks again (DXNet §VII: 10 to 30 µs), nanoseconds; 1000 to 1000000; default 20000
 * @param idleParkAfterMs an idle thread parks after this long (DXNet §VII: one second), milliseconds; 0 to 600000; default 1000
 * @param errorHandler gets what callbacks throw; default {@link ErrorHandler#logging()}
 * @param transportOptions keys with a transport's prefix, and their values
 */
public record DXNetConfig(
        String transport,
        String clusterName,
        ThreadingLayout threadingLayout,
        ParkingStrategy parkingStrategy,
        int handlers,
        boolean sendByCaller,
        int orbBytes,
        int cubEntries,
        int maxMessageBytes,
        int flowControlWindowBytes,
        int flowControlThresholdPercent,
        int maxConnections,
        int connectTimeoutMs,
        int sendTimeoutMs,
        int requestTimeoutMs,
        int closeTimeoutMs,
        int requestMapEntries,
        int incomingQueueBuffers,
        int incomingQueueBytes,
        int headerStoreEntries,
        int headerBatch,
        int largeBuffers,
        int mediumBuffers,
        int smallBuffers,
        long incomingBytesMax,
        int overprovisioningFactor,
        int parkNs,
        int idleParkAfterMs,
        ErrorHandler errorHandler,
        Map<String, String> transportOptions) {

    /** The sizes of pooled receive buffers, bytes, largest first (DXNet §VI). */
    public static final int LARGE_BUFFER_BYTES = 256 << 10;

    /** See {@link #LARGE_BUFFER_BYTES}. */
    public static final int MEDIUM_BUFFER_BYTES = 128 << 10;

    /** See {@link #LARGE_BUFFER_BYTES}. */
    public static final int SMALL_BUFFER_BYTES = 16 << 10;

    /**
     * What {@link #incomingBytesMax()} must have beyond {@link #maxMessageBytes()}: the buffers in which the largest message begins and
     * ends, one for what other connections send meanwhile, and rounding.
     */
    public static final int RECEIVE_MARGIN_BYTES = 3 * LARGE_BUFFER_BYTES + SMALL_BUFFER_BYTES;

    /**
     * Checks every value.
     *
     * @throws ConfigurationException naming key, value and allowed range
     */
    public DXNetConfig {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(clusterName, "clusterName");
        Objects.requireNonNull(threadingLayout, "threadingLayout");
        Objects.requireNonNull(parkingStrategy, "parkingStrategy");
        Objects.requireNonNull(errorHandler, "errorHandler");
        transportOptions = Map.copyOf(transportOptions);
        if (clusterName.isEmpty() || clusterName.length() > 64) {
            throw new ConfigurationException(
                    "clusterName=" + clusterName + " has " + clusterName.length() + " characters: allowed are 1 to 64");
        }
        range("handlers", handlers, 0, 128);
        range("orbBytes", orbBytes, 4096, 1073741824);
        powerOfTwo("orbBytes", orbBytes);
        range("cubEntries", cubEntries, 16, 8192);
        powerOfTwo("cubEntries", cubEntries);
        range("maxMessageBytes", maxMessageBytes, 1024, 2147482624);
        range("flowControlWindowBytes", flowControlWindowBytes, 16384, 1073741824);
        range("flowControlThresholdPercent", flowControlThresholdPercent, 1, 100);
        range("maxConnections", maxConnections, 1, 65535);
        range("connectTimeoutMs", connectTimeoutMs, 10, 600000);
        range("sendTimeoutMs", sendTimeoutMs, 10, 3600000);
        range("requestTimeoutMs", requestTimeoutMs, 1, 3600000);
        range("closeTimeoutMs", closeTimeoutMs, 0, 600000);
        range("requestMapEntries", requestMapEntries, 16, 1048576);
        powerOfTwo("requestMapEntries", requestMapEntries);
        range("incomingQueueBuffers", incomingQueueBuffers, 16, 1048576);
        range("incomingQueueBytes", incomingQueueBytes, 65536, 1073741824);
        range("headerStoreEntries", headerStoreEntries, 16, 1048576);
        powerOfTwo("headerStoreEntries", headerStoreEntries);
        range("headerBatch", headerBatch, 1, 4096);
        range("largeBuffers", largeBuffers, 1, 65536);
        range("mediumBuffers", mediumBuffers, 1, 65536);
        range("smallBuffers", smallBuffers, 1, 65536);
        range("incomingBytesMax", incomingBytesMax, 1048576L, 1099511627776L);
        if (incomingBytesMax - RECEIVE_MARGIN_BYTES < maxMessageBytes) {
            throw new ConfigurationException(
                    "incomingBytesMax=" + incomingBytesMax + " can't hold a message of maxMessageBytes="
                            + maxMessageBytes + ": raise incomingBytesMax to at least "
                            + (maxMessageBytes + (long) RECEIVE_MARGIN_BYTES) + " or lower maxMessageBytes to at most "
                            + (incomingBytesMax - RECEIVE_MARGIN_BYTES)
                            + "; where only one of the two is set, the other follows");
        }
        range("overprovisioningFactor", overprovisioningFactor, 1, 1024);
        range("parkNs", parkNs, 1000, 1000000);
        range("idleParkAfterMs", idleParkAfterMs, 0, 600000);
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
     * A builder with this configuration's values.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.transport = transport;
        builder.clusterName = clusterName;
        builder.threadingLayout = threadingLayout;
        builder.parkingStrategy = parkingStrategy;
        builder.handlers = handlers;
        builder.sendByCaller = sendByCaller;
        builder.orbBytes = orbBytes;
        builder.cubEntries = cubEntries;
        builder.maxMessageBytes = maxMessageBytes;
        builder.flowControlWindowBytes = flowControlWindowBytes;
        builder.flowControlThresholdPercent = flowControlThresholdPercent;
        builder.maxConnections = maxConnections;
        builder.connectTimeoutMs = connectTimeoutMs;
        builder.sendTimeoutMs = sendTimeoutMs;
        builder.requestTimeoutMs = requestTimeoutMs;
        builder.closeTimeoutMs = closeTimeoutMs;
        builder.requestMapEntries = requestMapEntries;
        builder.incomingQueueBuffers = incomingQueueBuffers;
        builder.incomingQueueBytes = incomingQueueBytes;
        builder.headerStoreEntries = headerStoreEntries;
        builder.headerBatch = headerBatch;
        builder.largeBuffers = largeBuffers;
        builder.mediumBuffers = mediumBuffers;
        builder.smallBuffers = smallBuffers;
        builder.incomingBytesMax = incomingBytesMax;
        builder.overprovisioningFactor = overprovisioningFactor;
        builder.parkNs = parkNs;
        builder.idleParkAfterMs = idleParkAfterMs;
        builder.errorHandler = errorHandler;
        builder.transportOptions.putAll(transportOptions);
        return builder;
    }

    private static void range(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigurationException(key + "=" + value + " is not in the allowed range " + min + " to " + max);
        }
    }

    private static void powerOfTwo(String key, int value) {
        if (Integer.bitCount(value) != 1) {
            throw new ConfigurationException(
                    key + "=" + value + " is not a power of two; the next one is " + Long.highestOneBit(value) * 2);
        }
    }

    /** Collects values; {@link #build} checks them. Not for several threads. */
    public static final class Builder {
        private static final String PREFIX = "dxnet.";
        private static final int MAX_MESSAGE_BYTES = 128 << 20;
        private static final long INCOMING_BYTES_MAX = 1L << 30;

        private String transport = "auto";
        private String clusterName = "dxnet";
        private ThreadingLayout threadingLayout = ThreadingLayout.AUTO;
        private ParkingStrategy parkingStrategy = ParkingStrategy.ADAPTIVE;
        private int handlers = 0;
        private boolean sendByCaller = true;
        private int orbBytes = 1 << 20;
        private int cubEntries = 1024;
        private Integer maxMessageBytes; // null: follows incomingBytesMax
        private int flowControlWindowBytes = 4 << 20;
        private int flowControlThresholdPercent = 25;
        private int maxConnections = 100;
        private int connectTimeoutMs = 5000;
        private int sendTimeoutMs = 10000;
        private int requestTimeoutMs = 5000;
        private int closeTimeoutMs = 5000;
        private int requestMapEntries = 65536;
        private int incomingQueueBuffers = 2048;
        private int incomingQueueBytes = 64 << 20;
        private int headerStoreEntries = 1024;
        private int headerBatch = 32;
        private int largeBuffers = 8;
        private int mediumBuffers = 64;
        private int smallBuffers = 256;
        private Long incomingBytesMax; // null: follows maxMessageBytes
        private int overprovisioningFactor = 4;
        private int parkNs = 20000;
        private int idleParkAfterMs = 1000;
        private ErrorHandler errorHandler = ErrorHandler.logging();
        private final Map<String, String> transportOptions = new HashMap<>();

        private Builder() {}

        /**
         * Sets {@link DXNetConfig#transport()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder transport(String value) {
            this.transport = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#clusterName()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder clusterName(String value) {
            this.clusterName = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#threadingLayout()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder threadingLayout(ThreadingLayout value) {
            this.threadingLayout = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#parkingStrategy()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder parkingStrategy(ParkingStrategy value) {
            this.parkingStrategy = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#handlers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder handlers(int value) {
            this.handlers = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#sendByCaller()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder sendByCaller(boolean value) {
            this.sendByCaller = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#orbBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder orbBytes(int value) {
            this.orbBytes = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#cubEntries()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder cubEntries(int value) {
            this.cubEntries = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#maxMessageBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder maxMessageBytes(int value) {
            this.maxMessageBytes = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#flowControlWindowBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder flowControlWindowBytes(int value) {
            this.flowControlWindowBytes = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#flowControlThresholdPercent()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder flowControlThresholdPercent(int value) {
            this.flowControlThresholdPercent = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#maxConnections()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder maxConnections(int value) {
            this.maxConnections = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#connectTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder connectTimeoutMs(int value) {
            this.connectTimeoutMs = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#sendTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder sendTimeoutMs(int value) {
            this.sendTimeoutMs = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#requestTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder requestTimeoutMs(int value) {
            this.requestTimeoutMs = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#closeTimeoutMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder closeTimeoutMs(int value) {
            this.closeTimeoutMs = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#requestMapEntries()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder requestMapEntries(int value) {
            this.requestMapEntries = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#incomingQueueBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingQueueBuffers(int value) {
            this.incomingQueueBuffers = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#incomingQueueBytes()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingQueueBytes(int value) {
            this.incomingQueueBytes = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#headerStoreEntries()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder headerStoreEntries(int value) {
            this.headerStoreEntries = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#headerBatch()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder headerBatch(int value) {
            this.headerBatch = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#largeBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder largeBuffers(int value) {
            this.largeBuffers = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#mediumBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder mediumBuffers(int value) {
            this.mediumBuffers = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#smallBuffers()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder smallBuffers(int value) {
            this.smallBuffers = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#incomingBytesMax()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder incomingBytesMax(long value) {
            this.incomingBytesMax = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#overprovisioningFactor()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder overprovisioningFactor(int value) {
            this.overprovisioningFactor = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#parkNs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder parkNs(int value) {
            this.parkNs = value;
            return this;
        }

        /**
         * Sets {@link DXNetConfig#idleParkAfterMs()}.
         *
         * @param value in the range given there
         * @return this builder
         */
        public Builder idleParkAfterMs(int value) {
            this.idleParkAfterMs = value;
            return this;
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
         */
        public Builder transportOption(String key, String value) {
            transportOptions.put(key, value);
            return this;
        }

        /**
         * Sets a value by its key.
         *
         * @param key as in the record, without {@code dxnet.}
         * @param value its text
         * @return this builder
         * @throws ConfigurationException when there is no such key, or the text is not a value of its type
         */
        public Builder set(String key, String value) {
            String text = value.strip();
            switch (key) {
                case "transport" -> transport = text;
                case "clusterName" -> clusterName = text;
                case "threadingLayout" -> threadingLayout = choice(ThreadingLayout.class, key, text);
                case "parkingStrategy" -> parkingStrategy = choice(ParkingStrategy.class, key, text);
                case "handlers" -> handlers = integer(key, text);
                case "sendByCaller" -> sendByCaller = bool(key, text);
                case "orbBytes" -> orbBytes = integer(key, text);
                case "cubEntries" -> cubEntries = integer(key, text);
                case "maxMessageBytes" -> maxMessageBytes = integer(key, text);
                case "flowControlWindowBytes" -> flowControlWindowBytes = integer(key, text);
                case "flowControlThresholdPercent" -> flowControlThresholdPercent = integer(key, text);
                case "maxConnections" -> maxConnections = integer(key, text);
                case "connectTimeoutMs" -> connectTimeoutMs = integer(key, text);
                case "sendTimeoutMs" -> sendTimeoutMs = integer(key, text);
                case "requestTimeoutMs" -> requestTimeoutMs = integer(key, text);
                case "closeTimeoutMs" -> closeTimeoutMs = integer(key, text);
                case "requestMapEntries" -> requestMapEntries = integer(key, text);
                case "incomingQueueBuffers" -> incomingQueueBuffers = integer(key, text);
                case "incomingQueueBytes" -> incomingQueueBytes = integer(key, text);
                case "headerStoreEntries" -> headerStoreEntries = integer(key, text);
                case "headerBatch" -> headerBatch = integer(key, text);
                case "largeBuffers" -> largeBuffers = integer(key, text);
                case "mediumBuffers" -> mediumBuffers = integer(key, text);
                case "smallBuffers" -> smallBuffers = integer(key, text);
                case "incomingBytesMax" -> incomingBytesMax = number(key, text);
                case "overprovisioningFactor" -> overprovisioningFactor = integer(key, text);
                case "parkNs" -> parkNs = integer(key, text);
                case "idleParkAfterMs" -> idleParkAfterMs = integer(key, text);
                default -> {
                    if (key.indexOf('.') <= 0) {
                        throw new ConfigurationException(
                                key + "=" + value + ": there is no such key; the Javadoc of DXNetConfig lists them");
                    }
                    transportOptions.put(key, text);
                }
            }
            return this;
        }

        /**
         * Sets every value of a properties file; keys may have the prefix {@code dxnet.}.
         *
         * @param file the file
         * @return this builder
         * @throws ConfigurationException when a key or value is wrong, or an escape sequence
         * @throws UncheckedIOException when the file can't be read, or is not UTF-8
         */
        public Builder load(Path file) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new UncheckedIOException("can't read the configuration " + file + ": " + e.getMessage(), e);
            } catch (IllegalArgumentException e) { // an escape sequence
                throw new ConfigurationException(file + " is no properties file: " + e.getMessage(), e);
            }
            for (String key : properties.stringPropertyNames()) {
                set(key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key, properties.getProperty(key));
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
                if (key.startsWith(PREFIX)) {
                    set(key.substring(PREFIX.length()), System.getProperty(key));
                }
            }
            return this;
        }

        /**
         * Checks the values.
         *
         * @return the configuration
         * @throws ConfigurationException naming key, value and allowed range
         */
        public DXNetConfig build() {
            return new DXNetConfig(
                    transport,
                    clusterName,
                    threadingLayout,
                    parkingStrategy,
                    handlers,
                    sendByCaller,
                    orbBytes,
                    cubEntries,
                    maxMessageBytes != null ? maxMessageBytes : defaultMaxMessageBytes(),
                    flowControlWindowBytes,
                    flowControlThresholdPercent,
                    maxConnections,
                    connectTimeoutMs,
                    sendTimeoutMs,
                    requestTimeoutMs,
                    closeTimeoutMs,
                    requestMapEntries,
                    incomingQueueBuffers,
                    incomingQueueBytes,
                    headerStoreEntries,
                    headerBatch,
                    largeBuffers,
                    mediumBuffers,
                    smallBuffers,
                    incomingBytesMax != null ? incomingBytesMax : defaultIncomingBytesMax(),
                    overprovisioningFactor,
                    parkNs,
                    idleParkAfterMs,
                    errorHandler,
                    transportOptions);
        }

        private int defaultMaxMessageBytes() {
            if (incomingBytesMax == null) {
                return MAX_MESSAGE_BYTES;
            }
            long fits = Math.min(incomingBytesMax / 8 * 5, incomingBytesMax - RECEIVE_MARGIN_BYTES);
            return Math.clamp(fits, 1024, MAX_MESSAGE_BYTES);
        }

        private long defaultIncomingBytesMax() {
            return maxMessageBytes == null
                    ? INCOMING_BYTES_MAX
                    : Math.max(INCOMING_BYTES_MAX, maxMessageBytes / 5 * 8L + RECEIVE_MARGIN_BYTES);
        }

        private static int integer(String key, String text) {
            long value = number(key, text);
            if (value != (int) value) {
                throw new ConfigurationException(key + "=" + text + " is not in the allowed range of 32-bit integers");
            }
            return (int) value;
        }

        private static long number(String key, String text) {
            int shift = text.isEmpty()
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
                        key + "=" + text + " is not a whole number (with K, M or G for sizes)", e);
            }
        }

        private static boolean bool(String key, String text) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new ConfigurationException(key + "=" + text + ": allowed are true and false");
            };
        }

        private static <E extends Enum<E>> E choice(Class<E> type, String key, String text) {
            for (E constant : type.getEnumConstants()) {
                if (constant.name().equalsIgnoreCase(text)) {
                    return constant;
                }
            }
            throw new ConfigurationException(key + "=" + text + ": allowed are "
                    + java.util.Arrays.toString(type.getEnumConstants()).toLowerCase(java.util.Locale.ROOT));
        }
    }
}
