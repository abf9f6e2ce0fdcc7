package io.dxnet.tools.compare.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of the libraries, as the build wrote them down. */
final class Versions {
    private static final Properties ALL = load();

    private Versions() {}

    static String of(String library) {
        return ALL.getProperty(library, "of an unknown version");
    }

    private static Properties load() {
        Properties properties = new Properties();
        try (InputStream in = Versions.class.getResourceAsStream("/io/dxnet/tools/compare/versions.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
