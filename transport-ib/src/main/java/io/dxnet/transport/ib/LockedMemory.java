package io.dxnet.transport.ib;

import io.dxnet.ConfigKey;
import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.ibverbs.VerbsException;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a node registers, and so locks in memory: the receive pool, and for each connection a ring.
 * Most users may lock little; the errors name the options that make it less. Any thread.
 */
final class LockedMemory {
    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int CAP_IPC_LOCK = 14;
    private static final int RING_BYTES = 256 << 10;

    /** The values that fit into 8 MiB: a pool of 2 MiB, and rings for 24 connections. */
    private static final Map<String, String> SMALL =
            Map.of("sharedReceiveRequests", "64", "receiveSges", "4", "receiveBufferBytes", "4K");

    /**
     * A connection's ring could not be registered. The message names the options that make it fit.
     */
    static final class ExceededException extends IllegalStateException {
        /** For the other node, which prints 64 characters of it. */
        static final String REASON = "no locked memory for its ring (ringBytes, ulimit -l): see its log";

        @Serial
        private static final long serialVersionUID = 1L;

        ExceededException(VerbsException cause, String advice) {
            super(cause.getMessage() + advice, cause);
        }
    }

    private LockedMemory() {}

    /**
     * The configuration for users that may lock little: the pool and the rings get smaller where
     * the given one leaves them at their defaults.
     *
     * @return empty where it leaves nothing to make smaller
     */
    static Optional<DXNetConfig> smaller(DXNetConfig config) {
        DXNetConfig.Builder builder = config.toBuilder();
        boolean smaller = false;
        if (!config.isGiven(ConfigKey.RING_BYTES)) {
            builder.ringBytes(RING_BYTES);
            smaller = true;
        }
        if (config.transportOptions().keySet().stream().noneMatch(LockedMemory::isOfPool)) {
            SMALL.forEach((name, value) -> builder.transportOption(IbOptions.NAME + "." + name, value));
            smaller = true;
        }
        return smaller ? Optional.of(builder.build()) : Optional.empty();
    }

    private static boolean isOfPool(String key) {
        String name = key.startsWith(IbOptions.NAME + ".") ? key.substring(IbOptions.NAME.length() + 1) : "";
        return SMALL.containsKey(name) || name.equals("receivePoolBytes") || name.equals("copyBytesMax");
    }

    /** Whether memory could not be registered because of a limit. */
    static boolean isExceeded(VerbsException e) {
        return e.errno() == ENOMEM || e.errno() == EPERM;
    }

    /** What to change where memory could not be registered. */
    static String advice(IbOptions options, int ringBytes) {
        return "; or register less: the receive pool has " + options.receivePoolBytes()
                + " bytes (ib.receivePoolBytes, at least ib.sharedReceiveRequests x ib.receiveSges x"
                + " ib.receiveBufferBytes), the ring of each connection " + ringBytes
                + " (ringBytes)" + staging(options, ringBytes)
                + "; into 8 MiB fit ib.sharedReceiveRequests=64, ib.receiveSges=4, ib.receiveBufferBytes=4K"
                + " and ringBytes=256K";
    }

    private static String staging(IbOptions options, int ringBytes) {
        return options.encryption() == Encryption.NONE
                ? ""
                : " and " + (options.connectionBytes(ringBytes) - ringBytes)
                        + " for what is encrypted (ib.sendQueueRequests x the largest work request)";
    }

    /**
     * Refuses what would start, but not have the memory for a connection to each node:
     * {@code transport=auto} has something better.
     *
     * @param limit the bytes that this process may lock; empty: no limit
     * @throws ConfigurationException naming need, limit and options
     */
    static void requireForAllNodes(IbOptions options, DXNetConfig config, NodeMap nodes, OptionalLong limit) {
        int rings = Math.min(config.maxConnections(), nodes.nodes().size());
        long needed = options.receivePoolBytes() + rings * options.connectionBytes(config.ringBytes());
        if (limit.isPresent() && needed > limit.getAsLong()) {
            throw new ConfigurationException("transport=ib: the receive pool and " + rings + " rings need " + needed
                    + " bytes of locked memory, RLIMIT_MEMLOCK is " + limit.getAsLong() + " bytes"
                    + advice(options, config.ringBytes()));
        }
    }

    /** The bytes that this process may lock; empty where there is no limit or it cannot be read. */
    static OptionalLong limit() {
        try {
            return limit(
                    Files.readAllLines(Path.of("/proc/self/limits")), Files.readAllLines(Path.of("/proc/self/status")));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The same.
     *
     * @param limits lines of {@code /proc/self/limits}
     * @param status lines of {@code /proc/self/status}
     */
    static OptionalLong limit(List<String> limits, List<String> status) {
        Map<String, String> words = new HashMap<>();
        for (String line : status) {
            String[] parts = line.split(":\\s*", 2);
            words.put(parts[0], parts[parts.length - 1].strip());
        }
        if ((Long.parseUnsignedLong(words.getOrDefault("CapEff", "0"), 16) >>> CAP_IPC_LOCK & 1) != 0) {
            return OptionalLong.empty();
        }
        for (String line : limits) {
            if (line.startsWith("Max locked memory")) {
                String soft =
                        line.substring("Max locked memory".length()).strip().split("\\s+")[0];
                return soft.equals("unlimited") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(soft));
            }
        }
        return OptionalLong.empty();
    }
}
