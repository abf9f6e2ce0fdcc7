package io.dxnet.tools.bench.keys;

import io.dxnet.ConfigKey;
import io.dxnet.SecurityMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Keys for one measurement, in a folder that is deleted afterwards: a key of the cluster, or one
 * certificate that names all its nodes.
 */
public final class BenchKeys implements AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final Path folder;
    private final Map<ConfigKey, String> settings = new TreeMap<>();
    private final Thread atExit = new Thread(this::deleteQuietly, "bench-keys-deleter"); // also after an interrupt

    private BenchKeys(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Makes the keys of a mode.
     *
     * @param mode of the nodes
     * @param cluster their cluster's name
     * @param nodes their number; the ids start at 0
     * @return to be closed after the measurement
     * @throws IOException when a file can't be written
     */
    public static BenchKeys make(SecurityMode mode, String cluster, int nodes) throws IOException {
        BenchKeys keys = new BenchKeys(Files.createTempDirectory("dxnet-bench-keys-"));
        boolean done = false;
        try {
            keys.fill(mode, cluster, nodes);
            done = true;
            return keys;
        } finally {
            if (!done) {
                keys.close();
            }
        }
    }

    private void fill(SecurityMode mode, String cluster, int nodes) throws IOException {
        settings.put(ConfigKey.SECURITY, ConfigKey.SECURITY.text(mode));
        ClusterKeys keys = new ClusterKeys(folder);
        switch (mode) {
            case LOCAL, NONE -> {
                // nothing to make
            }
            case KEY -> {
                byte[] key = new byte[KEY_BYTES];
                new SecureRandom().nextBytes(key);
                Path file = keys.write("key", Base64.getEncoder().encodeToString(key));
                settings.put(ConfigKey.KEY_FILE, file.toString());
            }
            case TLS -> {
                keys.init(cluster, 1);
                List<Integer> ids = IntStream.range(0, nodes).boxed().toList();
                settings.put(ConfigKey.TLS_KEY_STORE, keys.node("all", ids, 1).toString());
                settings.put(ConfigKey.TLS_TRUST_STORE, keys.trustStore().toString());
                settings.put(ConfigKey.TLS_PASSWORD_FILE, keys.passwordFile().toString());
            }
        }
    }

    /**
     * Returns what the nodes' configuration needs.
     *
     * @return paths, no secrets
     */
    public Map<ConfigKey, String> settings() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the JVM ends: the hook finds no folder
        }
    }

    private void deleteQuietly() {
        try {
            delete();
        } catch (IOException e) {
            System.err.println("bench: the keys in " + folder + " could not be deleted: " + e.getMessage());
        }
    }

    private synchronized void delete() throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
