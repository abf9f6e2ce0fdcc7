package io.dxnet.contract;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Certificates for tests, made by the JDK's keytool: good ones, and those that must be refused. */
public final class TestKeys {
    /** Of all stores. */
    public static final String PASSWORD = "of-the-tests";

    /** The names of nodes of the default cluster. */
    private static final String NAME = "dxnet:dxnet/node/";

    private static final int SHARED_NODES = 64;
    private static TestKeys shared; // under the class's monitor
    private static final String FORMAT = "PKCS12";

    private final Path folder;

    /** Stores in a folder. */
    public TestKeys(Path folder) {
        this.folder = folder;
        write("password", PASSWORD);
    }

    /**
     * Stores that all tests of a process share: authority "ca", {@code trust.p12}, and one
     * certificate {@code node.p12} that names nodes 0 to 63.
     */
    public static synchronized TestKeys shared() {
        if (shared == null) {
            shared = untilExit(keys -> {
                keys.authority("ca");
                keys.trust("trust", "ca");
                keys.node("node", "ca", IntStream.range(0, SHARED_NODES).toArray());
            });
        }
        return shared;
    }

    /** Stores in a folder that is deleted when the process ends. */
    public static TestKeys untilExit(Consumer<TestKeys> content) {
        try {
            TestKeys keys = new TestKeys(Files.createTempDirectory("dxnet-keys"));
            content.accept(keys);
            keys.deleteAtExit();
            return keys;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void deleteAtExit() throws IOException {
        folder.toFile().deleteOnExit();
        try (var files = Files.list(folder)) {
            files.forEach(file -> file.toFile().deleteOnExit());
        }
    }

    /** The configuration of a node with mutual TLS. */
    public DXNetConfig.Builder configure(DXNetConfig.Builder builder, String node, String trust) {
        return builder.security(SecurityMode.TLS)
                .tlsKeyStore(store(node).toString())
                .tlsTrustStore(store(trust).toString())
                .tlsPasswordFile(folder.resolve("password").toString());
    }

    /** The same with the stores of all tests. */
    public static DXNetConfig.Builder configureShared(DXNetConfig.Builder builder) {
        return shared().configure(builder, "node", "trust");
    }

    public Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    /** Copies a store, or replaces it at once as an administrator would. */
    public void install(String from, String to) {
        try {
            Path file = Files.copy(store(from), store(to + "-new"), StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(file, store(to), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes an authority's key. */
    public void authority(String file) {
        authority(file, file);
    }

    /**
     * Makes the key of an authority with any name. A node shows its certificate only where the
     * other one trusts an authority of that name, whatever its key: a stranger's has the cluster's.
     */
    public void authority(String file, String name) {
        keytool(
                store(file),
                "ca",
                "-dname",
                "CN=" + name,
                "-ext",
                "bc:c",
                "-ext",
                "ku:c=keyCertSign",
                "-validity",
                "9");
    }

    /** Makes a store of authorities. */
    public void trust(String file, String... authorities) {
        try {
            KeyStore trust = KeyStore.getInstance(FORMAT);
            trust.load(null, null);
            for (String each : authorities) {
                trust.setCertificateEntry(each, read(store(each)).getCertificate("ca"));
            }
            save(trust, store(file));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes a certificate that is valid now. */
    public void node(String file, String authority, int... nodeIds) {
        node(file, authority, "-1d", 3, nodeIds);
    }

    /** Makes a certificate of another time: a start like {@code -10d}, and the days from there. */
    public void node(String file, String authority, String start, int days, int... nodeIds) {
        node(
                file,
                authority,
                start,
                days,
                IntStream.of(nodeIds).mapToObj(id -> NAME + id).toArray(String[]::new));
    }

    /** Makes a certificate with any URIs. */
    public void node(String file, String authority, String start, int days, String... names) {
        Path both = folder.resolve(file + ".both");
        try {
            Files.copy(store(authority), both, StandardCopyOption.REPLACE_EXISTING);
            keytool(
                    both,
                    "node",
                    "-dname",
                    "CN=node",
                    "-signer",
                    "ca",
                    "-startdate",
                    start,
                    "-validity",
                    Integer.toString(days),
                    "-ext",
                    "ku:c=digitalSignature",
                    "-ext",
                    "eku=serverAuth,clientAuth",
                    "-ext",
                    "san="
                            + String.join(
                                    ",",
                                    Stream.of(names).map(name -> "uri:" + name).toList()));
            KeyStore from = read(both);
            Files.delete(both);
            KeyStore to = KeyStore.getInstance(FORMAT);
            to.load(null, null);
            char[] password = PASSWORD.toCharArray();
            to.setKeyEntry("node", from.getKey("node", password), password, from.getCertificateChain("node"));
            save(to, store(file));
            Files.setPosixFilePermissions(store(file), PosixFilePermissions.fromString("rw-------"));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyStore read(Path path) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(FORMAT);
        try (InputStream in = Files.newInputStream(path)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void save(KeyStore store, Path path) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private void write(String name, String text) {
        Path path = folder.resolve(name);
        try {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void keytool(Path store, String alias, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                FORMAT,
                "-storepass:env",
                "DXNET_TEST_PASSWORD",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("DXNET_TEST_PASSWORD", PASSWORD);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("keytool failed: " + said);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
