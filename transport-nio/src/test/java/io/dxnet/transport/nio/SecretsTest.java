package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Middle;
import io.dxnet.attack.Middle.Direction;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestKeys;
import io.dxnet.contract.TestMessages.Ping;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nodes show while they connect, refuse a stranger, and fail to read their secrets again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecretsTest {
    private static final Logger LOGGER = Logger.getLogger("io.dxnet");

    private final List<String> addresses = Ports.addresses(3);
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Level level = LOGGER.getLevel();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            shown.add(new SimpleFormatter().format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        handler.setLevel(Level.ALL);
        LOGGER.setLevel(Level.ALL);
        LOGGER.addHandler(handler);
        System.setOut(new PrintStream(printed, true, StandardCharsets.ISO_8859_1));
        System.setErr(System.out);
    }

    @AfterEach
    void stop() {
        System.setOut(out);
        System.setErr(err);
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(level);
    }

    /** What must not be shown. */
    private record Secret(String name, byte[] bytes) {
        /** As text, where it begins in groups of three bytes as Base64 has them, and as numbers. */
        List<String> forms() {
            List<String> forms = new ArrayList<>(List.of(
                    HexFormat.of().formatHex(bytes, 0, 8),
                    Arrays.toString(bytes).substring(1, 20),
                    new BigInteger(1, bytes).toString(),
                    new String(bytes, 0, 8, StandardCharsets.ISO_8859_1)));
            for (int skipped = 0; skipped < 3; skipped++) {
                byte[] rest = Arrays.copyOfRange(bytes, skipped, bytes.length);
                forms.add(Base64.getEncoder()
                        .withoutPadding()
                        .encodeToString(rest)
                        .substring(0, 10));
                forms.add(Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(rest)
                        .substring(0, 10));
            }
            return forms;
        }
    }

    /** Breaks what the nodes read, so that they fail to read it again. */
    private interface Damage {
        void run() throws Exception;
    }

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }

    private static String trace(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return e + "\n" + text;
    }

    /** Connects, refuses, fails to reload, and keeps all that is shown. */
    private Middle.Record provoke(Protection mode, DXNetConfig.Builder config, Damage damage) throws Exception {
        Path events = folder.resolve("events.jfr");
        DXNetConfig settings = config.build();
        Middle.Record record;
        try (Recording recording = new Recording();
                Middle middle = new Middle(Ports.resolved(addresses.get(0)))) {
            for (String each : List.of("HandshakeRefused", "Connect", "Disconnect")) {
                recording.enable("dxnet." + each);
            }
            for (String each :
                    List.of("TLSHandshake", "X509Certificate", "X509Validation", "SecurityPropertyModification")) {
                recording.enable("jdk." + each);
            }
            recording.start();
            try (Cluster cluster = new Cluster(
                            List.of(
                                    Ports.map(0, addresses),
                                    Ports.map(1, addresses).put(0, middle.address())),
                            builder -> settings.toBuilder());
                    Cluster stranger = new Cluster(
                            List.of(Ports.map(2, addresses)), builder -> mode.stranger(configure(builder)))) {
                assertThat(cluster.node(1).sendSync(new Ping(0, "in", 1), Duration.ofSeconds(30)).text)
                        .isEqualTo("in");
                record = middle.records().getFirst();
                shown.add(trace(catchThrowable(() -> stranger.node(0).connectNode(0))));
                damage.run();
                shown.add(trace(catchThrowable(() -> cluster.node(0).reloadSecurity())));
                for (int i = 0; i < 2; i++) {
                    shown.add(cluster.node(i).describe()
                            + cluster.node(i)
                            + cluster.node(i).statistics());
                }
                shown.add(cluster.failures.toString() + cluster.events + settings);
                Cluster.await(
                        "the line about the refused stranger",
                        () -> shown.stream().anyMatch(text -> text.contains("refused a connection")));
            }
            recording.stop();
            recording.dump(events);
        }
        shown.add(Files.readString(events, StandardCharsets.ISO_8859_1));
        shown.add(printed.toString(StandardCharsets.ISO_8859_1));
        return record;
    }

    private void assertShowsNothingOf(List<Secret> secrets) {
        for (Secret secret : secrets) {
            for (String form : secret.forms()) {
                for (String text : shown) {
                    boolean isShown = text.contains(form)
                            || text.toLowerCase(Locale.ROOT).contains(form.toLowerCase(Locale.ROOT));
                    assertThat(isShown).as("%s is shown", secret.name()).isFalse(); // not the text itself
                }
            }
        }
    }

    private Path write(String name, String text) throws Exception {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    @Test
    void shouldShowNothingOfTheKeyNorOfTheConnectionsKey() throws Exception {
        byte[] key = new byte[32];
        new Random(4711).nextBytes(key);
        String text = Base64.getEncoder().encodeToString(key);
        Path file = write("key", text);
        Middle.Record record = provoke(
                Protection.KEY,
                configure(DXNetConfig.builder()).security(SecurityMode.KEY).keyFile(file.toString()),
                () -> Files.writeString(file, text + "?"));
        assertShowsNothingOf(derived(key, record));
    }

    /** The key, and what follows from it: the constructions are those of docs/SECURITY.md. */
    private static List<Secret> derived(byte[] key, Middle.Record record) throws Exception {
        byte[] toListener = record.bytes(Direction.TO_LISTENER);
        byte[] challenge = Arrays.copyOf(toListener, 48);
        byte[] answer = Arrays.copyOf(record.bytes(Direction.TO_OPENER), 80);
        byte[] hello = Arrays.copyOfRange(toListener, 48, 48 + 56 + lengths(toListener) + 32);
        byte[] prk = hmac("dxnet 1 cluster key".getBytes(StandardCharsets.US_ASCII), key);
        byte[] proof = expand(prk, "dxnet 1 proof of the challenge");
        // The proof in the recording shows that these are the keys that the nodes have derived.
        assertThat(hmac(proof, challenge, Arrays.copyOf(answer, 48))).isEqualTo(Arrays.copyOfRange(answer, 48, 80));
        byte[] connection = hmac(expand(prk, "dxnet 1 connection"), challenge, answer, hello);
        return List.of(
                new Secret("the key", key),
                new Secret("what all keys are derived from", prk),
                new Secret("the key of a proof", proof),
                new Secret("the key of the hello's proof", expand(prk, "dxnet 1 proof of the hello")),
                new Secret("the key of the connections", expand(prk, "dxnet 1 connection")),
                new Secret("the connection's key", connection));
    }

    /** The lengths of transport, payload and cluster name in the hello. */
    private static int lengths(byte[] toListener) {
        int sum = 0;
        for (int at = 48 + 48; at < 48 + 54; at += 2) {
            sum += toListener[at] & 0xFF | (toListener[at + 1] & 0xFF) << 8;
        }
        return sum;
    }

    private static byte[] expand(byte[] prk, String info) throws Exception {
        return hmac(prk, info.getBytes(StandardCharsets.US_ASCII), new byte[] {1});
    }

    private static byte[] hmac(byte[] key, byte[]... parts) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    @Test
    void shouldShowNothingOfThePasswordNorOfThePrivateKey() throws Exception {
        TestKeys keys = new TestKeys(folder);
        keys.authority("ca");
        keys.trust("trust", "ca");
        keys.node("node", "ca", 0, 1);
        provoke(
                Protection.TLS,
                keys.configure(configure(DXNetConfig.builder()), "node", "trust"),
                () -> Files.writeString(folder.resolve("password"), TestKeys.PASSWORD + "?"));
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys.store("node"))) {
            store.load(in, TestKeys.PASSWORD.toCharArray());
        }
        ECPrivateKey key = (ECPrivateKey) store.getKey("node", TestKeys.PASSWORD.toCharArray());
        assertShowsNothingOf(List.of(
                new Secret("the password", TestKeys.PASSWORD.getBytes(StandardCharsets.US_ASCII)),
                new Secret("the private key", bytes(key.getS()))));
    }

    private static byte[] bytes(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    /** The search itself finds each form of a secret. */
    @Test
    void shouldFindWhatIsShown() {
        byte[] bytes = new byte[32];
        new Random(1).nextBytes(bytes);
        Secret secret = new Secret("it", bytes);
        for (String each : List.of(
                HexFormat.of().withUpperCase().formatHex(bytes),
                Arrays.toString(bytes),
                Base64.getEncoder().encodeToString(bytes),
                new String(bytes, StandardCharsets.ISO_8859_1))) {
            shown.clear();
            assertShowsNothingOf(List.of(secret));
            shown.add("text " + each + " text");
            assertThat(catchThrowable(() -> assertShowsNothingOf(List.of(secret))))
                    .isInstanceOf(AssertionError.class);
        }
    }
}
