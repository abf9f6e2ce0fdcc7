package io.dxnet.tools.bench.keys;

import io.dxnet.tools.cli.ToolException;
import io.dxnet.transport.tls.NodeCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The keys of a cluster in a folder: the authority's key {@code ca.p12}, which stays here; for each
 * node {@code node-ID.p12}, and for all of them {@code trust.p12} and {@code password}. While the
 * authority is changed, {@code ca-before.p12} is the previous one. No user but the owner can reach
 * the files. A file is replaced at once, never written in place.
 */
public final class ClusterKeys {
    private static final String AUTHORITY = "ca";
    private static final String BEFORE = "ca-before";
    private static final String NODE = "node";
    private static final int PASSWORD_BYTES = 24;
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path folder;

    /**
     * Uses a folder.
     *
     * @param folder of {@link #init}
     */
    public ClusterKeys(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder, the password, an authority and the store that trusts it.
     *
     * @param cluster the cluster's name, which the certificates contain
     * @param days how long the authority's certificate is valid
     * @throws ToolException when there are keys already
     * @throws IOException when a file can't be written
     */
    public void init(String cluster, int days) throws IOException {
        Files.createDirectories(folder, FOLDER);
        if (Files.exists(path(AUTHORITY))) {
            throw new ToolException(folder + " has keys already: './dxnet keys rotate' changes them");
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        write("cluster", cluster);
        write("password", Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        makeAuthority(days);
        trust(AUTHORITY);
    }

    /**
     * Makes the key and the certificate of a node, or new ones.
     *
     * @param ids the ids that the certificate names
     * @param days how long it is valid
     * @return the store
     * @throws IOException when a file can't be read or written
     */
    public Path node(List<Integer> ids, int days) throws IOException {
        return node(NODE + "-" + ids.stream().map(String::valueOf).collect(Collectors.joining("-")), ids, days);
    }

    /**
     * Returns the cluster's name, which the certificates contain.
     *
     * @return of {@link #init}
     * @throws IOException when the file can't be read
     */
    public String cluster() throws IOException {
        return read(folder.resolve("cluster"));
    }

    /** The same for a store with another name. */
    Path node(String name, List<Integer> ids, int days) throws IOException {
        String cluster = cluster();
        String names = ids.stream()
                .map(id -> "uri:" + NodeCertificate.name(cluster, id))
                .collect(Collectors.joining(","));
        char[] password = password();
        Path work = Files.createTempDirectory(folder, "new", FOLDER);
        try {
            // The key is made beside the authority's, which signs it, then copied from there.
            Path both = Files.copy(path(AUTHORITY), work.resolve("both.p12"));
            Keytool.generate(
                    both,
                    NODE,
                    password,
                    List.of(
                            "-dname",
                            "CN=" + name,
                            "-signer",
                            AUTHORITY,
                            "-validity",
                            Integer.toString(days),
                            "-ext",
                            "ku:c=digitalSignature",
                            "-ext",
                            "eku=serverAuth,clientAuth",
                            "-ext",
                            "san=" + names));
            KeyStore from = load(both, password);
            KeyStore to = empty();
            to.setKeyEntry(NODE, from.getKey(NODE, password), password, from.getCertificateChain(NODE));
            save(to, path(name), password);
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        } finally {
            delete(work);
        }
        return path(name);
    }

    /**
     * Makes another authority; the nodes are to trust both from here on.
     *
     * @param days how long its certificate is valid
     * @throws ToolException when the last change is not finished
     * @throws IOException when a file can't be written
     */
    public void rotate(int days) throws IOException {
        if (Files.exists(path(BEFORE))) {
            throw new ToolException("the last change is not finished: './dxnet keys rotate --finish " + folder + "'");
        }
        password(); // there is one
        Files.move(path(AUTHORITY), path(BEFORE), StandardCopyOption.ATOMIC_MOVE);
        makeAuthority(days);
        trust(AUTHORITY, BEFORE);
    }

    /**
     * Ends the change: the nodes are to trust the new authority alone, so certificates of the
     * previous one are revoked.
     *
     * @throws ToolException when there was no change
     * @throws IOException when a file can't be written
     */
    public void finishRotation() throws IOException {
        if (!Files.exists(path(BEFORE))) {
            throw new ToolException("nothing to finish: './dxnet keys rotate " + folder + "' begins a change");
        }
        trust(AUTHORITY);
        Files.delete(path(BEFORE));
    }

    private void makeAuthority(int days) throws IOException {
        Path work = Files.createTempDirectory(folder, "new", FOLDER);
        try {
            Path store = work.resolve("ca.p12");
            Keytool.generate(
                    store,
                    AUTHORITY,
                    password(),
                    List.of(
                            "-dname",
                            "CN=DXNet cluster authority",
                            "-validity",
                            Integer.toString(days),
                            "-ext",
                            "bc:c",
                            "-ext",
                            "ku:c=keyCertSign"));
            replace(store, path(AUTHORITY));
        } finally {
            delete(work);
        }
    }

    private void trust(String... authorities) throws IOException {
        char[] password = password();
        try {
            KeyStore trust = empty();
            for (String each : authorities) {
                trust.setCertificateEntry(each, load(path(each), password).getCertificate(AUTHORITY));
            }
            save(trust, path("trust"), password);
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    // ---------------------------------------------------------------- files

    /**
     * Returns the file with the password of all stores.
     *
     * @return for {@code tlsPasswordFile}
     */
    public Path passwordFile() {
        return folder.resolve("password");
    }

    /**
     * Returns the store with the authorities.
     *
     * @return for {@code tlsTrustStore}
     */
    public Path trustStore() {
        return path("trust");
    }

    private Path path(String store) {
        return folder.resolve(store + ".p12");
    }

    private char[] password() throws IOException {
        return read(passwordFile()).toCharArray();
    }

    private String read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new ToolException(folder + " has no keys: './dxnet keys init " + folder + "' makes them");
        }
        return Files.readString(file).strip();
    }

    private ToolException unusable(GeneralSecurityException e) {
        return new ToolException("the stores of " + folder + " can't be used: " + e.getMessage(), e);
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(Keytool.FORMAT);
        store.load(null, null);
        return store;
    }

    private static KeyStore load(Path path, char[] password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(Keytool.FORMAT);
        try (InputStream in = Files.newInputStream(path)) {
            store.load(in, password);
        }
        return store;
    }

    private void save(KeyStore store, Path path, char[] password) throws GeneralSecurityException, IOException {
        Path file = newFile();
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
        replace(file, path);
    }

    /** Writes a file of one line; returns it. */
    Path write(String name, String text) throws IOException {
        Path path = folder.resolve(name);
        replace(Files.writeString(newFile(), text + "\n"), path);
        return path;
    }

    private Path newFile() throws IOException {
        return Files.createTempFile(folder, "new", null, PosixFilePermissions.asFileAttribute(OWNER));
    }

    private static void replace(Path file, Path path) throws IOException {
        Files.setPosixFilePermissions(file, OWNER);
        Files.move(file, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void delete(Path work) throws IOException {
        Files.deleteIfExists(work.resolve("both.p12"));
        Files.deleteIfExists(work.resolve("ca.p12"));
        Files.delete(work);
    }
}
