package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestMessages.Ping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
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
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nodes show while they connect, refuse a stranger, and fail to read a key again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecretsTest {
    private final List<String> addresses = Ports.addresses(3);

    @TempDir
    private Path folder;

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }

    /** Logs, exceptions, events and descriptions have nothing of the key. */
    @Test
    void shouldShowNothingOfTheKey() throws Exception {
        byte[] key = new byte[32];
        new Random(4711).nextBytes(key);
        List<String> shown = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.dxnet");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                shown.add(new SimpleFormatter().format(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        handler.setLevel(Level.ALL);
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        Path events = folder.resolve("events.jfr");
        Path file = folder.resolve("key");
        Files.writeString(
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                Base64.getEncoder().encodeToString(key));
        try (Recording recording = new Recording()) {
            recording.enable("dxnet.HandshakeRefused");
            recording.enable("dxnet.Connect");
            recording.enable("dxnet.Disconnect");
            recording.start();
            List<NodeMap> maps = List.of(Ports.map(0, addresses), Ports.map(1, addresses));
            try (Cluster cluster = new Cluster(
                            maps,
                            builder -> configure(builder)
                                    .security(SecurityMode.KEY)
                                    .keyFile(file.toString()));
                    Cluster stranger = new Cluster(
                            List.of(Ports.map(2, addresses)), builder -> Protection.KEY.stranger(configure(builder)))) {
                assertThat(cluster.node(1).sendSync(new Ping(0, "in", 1), Duration.ofSeconds(30)).text)
                        .isEqualTo("in");
                shown.add(catchThrowable(() -> stranger.node(0).connectNode(0)).toString());
                Files.writeString(file, Base64.getEncoder().encodeToString(key) + "?");
                shown.add(catchThrowable(() -> cluster.node(0).reloadSecurity()).toString());
                shown.add(cluster.node(0).describe()
                        + cluster.node(0)
                        + cluster.node(0).statistics());
                shown.add(cluster.failures.toString() + cluster.events);
                shown.add(DXNetConfig.builder()
                        .security(SecurityMode.KEY)
                        .keyFile(file.toString())
                        .build()
                        .toString());
            }
            recording.stop();
            recording.dump(events);
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        shown.add(Files.readString(events, StandardCharsets.ISO_8859_1));
        assertThat(shown).anyMatch(text -> text.contains("refused a connection"));
        String raw = new String(key, StandardCharsets.ISO_8859_1);
        for (String text : shown) {
            assertThat(text.contains(Base64.getEncoder().encodeToString(key).substring(0, 20)))
                    .isFalse();
            assertThat(text.toLowerCase(Locale.ROOT).contains(HexFormat.of().formatHex(key, 0, 8)))
                    .isFalse();
            assertThat(text.contains(Arrays.toString(key).substring(1, 20))).isFalse();
            assertThat(text.contains(raw.substring(0, 8))).isFalse();
        }
    }
}
