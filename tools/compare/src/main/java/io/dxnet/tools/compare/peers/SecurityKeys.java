package io.dxnet.tools.compare.peers;

import io.dxnet.ConfigKey;
import io.dxnet.SecurityMode;
import io.dxnet.tools.bench.keys.BenchKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The keys of one comparison: made for it, passed to its processes as paths, then deleted. */
public final class SecurityKeys implements AutoCloseable {
    /** No keys: for what is only described, and in a peer's process, which has the paths. */
    public static final SecurityKeys NONE = new SecurityKeys();

    /** Of both nodes. */
    private static final String CLUSTER = "dxnet";

    private static final int NODES = 2;

    private final Map<SecurityMode, BenchKeys> keys = new EnumMap<>(SecurityMode.class);

    private SecurityKeys() {}

    /**
     * Makes a key and certificates.
     *
     * @return to be closed after the comparison
     * @throws IOException when a file can't be written
     */
    public static SecurityKeys make() throws IOException {
        SecurityKeys made = new SecurityKeys();
        try {
            for (SecurityMode mode : List.of(SecurityMode.KEY, SecurityMode.TLS)) {
                made.keys.put(mode, BenchKeys.make(mode, CLUSTER, NODES));
            }
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** Returns flags of the java command with the settings of DXNet in this mode, no secrets. */
    List<String> flags(SecurityMode mode) {
        List<String> flags = new ArrayList<>();
        if (keys.containsKey(mode)) {
            keys.get(mode).settings().forEach((key, value) -> flags.add("-D" + property(key) + "=" + value));
        }
        return flags;
    }

    /** Returns the name of a setting as a system property. */
    static String property(ConfigKey key) {
        return "dxnet." + key.key();
    }

    @Override
    public void close() throws IOException {
        for (BenchKeys each : keys.values()) {
            each.close();
        }
    }
}
