package io.dxnet.transport.security;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.KeySource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * Where the cluster's keys are: a file, an environment variable, or the application's
 * {@link KeySource}. What it reads is overwritten once the keys are derived from it, as far as it
 * is no string; its errors name the place, never what is there. Any thread.
 */
final class KeyPlace {
    /** A file with two keys of the most bytes, in Base64, and some lines of comment. */
    private static final int FILE_BYTES_MAX = 16 << 10;

    private static final int KEYS_MAX = 2;

    private interface Reader {
        List<byte[]> read() throws IOException;
    }

    private final String name;
    private final Reader reader;

    private KeyPlace(String name, Reader reader) {
        this.name = name;
        this.reader = reader;
    }

    static KeyPlace of(DXNetConfig config) {
        KeySource source = config.keySource();
        if (source != null) {
            return new KeyPlace("the application's keySource", () -> called(source));
        }
        if (!config.keyFile().isEmpty()) {
            String name = "keyFile=" + config.keyFile();
            Path path;
            try {
                path = Path.of(config.keyFile());
            } catch (InvalidPathException e) {
                throw new ConfigurationException(name + " is no path", e);
            }
            return new KeyPlace(name, () -> PrivateFile.read(path, FILE_BYTES_MAX, KeyPlace::parse));
        }
        String variable = config.keyVariable();
        return new KeyPlace("environment variable " + variable, () -> variable(variable));
    }

    /**
     * Reads the keys.
     *
     * @return one or two
     * @throws ConfigurationException naming the place and what is wrong with it
     */
    List<ClusterKey> read() {
        List<byte[]> found;
        try {
            found = reader.read();
        } catch (IOException e) {
            throw new ConfigurationException("security=key: " + name + ": " + PrivateFile.words(e));
        }
        try {
            if (found.isEmpty() || found.size() > KEYS_MAX) {
                throw new ConfigurationException("security=key: " + name + " has " + found.size()
                        + " keys: one is needed, or two while the key is changed");
            }
            for (byte[] each : found) {
                if (each.length < ClusterKey.BYTES_MIN || each.length > ClusterKey.BYTES_MAX) {
                    throw new ConfigurationException("security=key: a key of " + name + " has " + each.length
                            + " bytes: allowed are " + ClusterKey.BYTES_MIN + " to " + ClusterKey.BYTES_MAX
                            + ", of a cryptographic random generator (openssl rand -base64 32)");
                }
            }
            return found.stream().map(ClusterKey::of).toList();
        } finally {
            overwrite(found);
        }
    }

    /** What it throws may show a key: only its class is reported. */
    private static List<byte[]> called(KeySource source) throws IOException {
        List<byte[]> keys;
        try {
            keys = source.keys();
        } catch (Exception e) {
            throw new IOException("it threw " + e.getClass().getName());
        }
        if (keys == null || keys.stream().anyMatch(Objects::isNull)) {
            if (keys != null) {
                overwrite(keys.stream().filter(Objects::nonNull).toList());
            }
            throw new IOException("it returned null");
        }
        return new ArrayList<>(keys);
    }

    private static List<byte[]> variable(String variable) throws IOException {
        String text = System.getenv(variable);
        if (text == null) {
            throw new IOException("it is not set; set it, or keyFile, or a keySource of the builder");
        }
        byte[] bytes = text.replace(',', '\n').getBytes(StandardCharsets.UTF_8);
        try {
            return parse(bytes, bytes.length);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Words that are keys in Base64; a word that starts with # begins a comment. */
    private static List<byte[]> parse(byte[] bytes, int length) throws IOException {
        List<byte[]> keys = new ArrayList<>();
        try {
            parse(bytes, length, keys);
        } catch (IOException | RuntimeException | Error e) {
            overwrite(keys);
            throw e;
        }
        return keys;
    }

    private static void parse(byte[] bytes, int length, List<byte[]> keys) throws IOException {
        int at = 0;
        while (at < length) {
            if (isSpace(bytes[at])) {
                at++;
                continue;
            }
            int begin = at;
            boolean isComment = bytes[at] == '#';
            while (at < length && (isComment ? bytes[at] != '\n' : !isSpace(bytes[at]))) {
                at++;
            }
            if (!isComment) {
                keys.add(decode(bytes, begin, at));
            }
        }
    }

    private static void overwrite(List<byte[]> keys) {
        for (byte[] each : keys) {
            Arrays.fill(each, (byte) 0);
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    private static byte[] decode(byte[] bytes, int begin, int end) throws IOException {
        byte[] text = Arrays.copyOfRange(bytes, begin, end);
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) { // its message shows a part of the key
            throw new IOException("a key is not in Base64");
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
