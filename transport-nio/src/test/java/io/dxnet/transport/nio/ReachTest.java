package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which machines a node lets reach it, and what it reports of those that it refuses. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReachTest {
    private static final Logger LOGGER = Logger.getLogger("io.dxnet.transport.handshake.Acceptor");

    @TempDir
    private Path folder;

    private final List<String> addresses = Ports.addresses(1);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
        LOGGER.setUseParentHandlers(false);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    private static DXNetConfig.Builder everywhere(DXNetConfig.Builder builder) {
        return builder.transport("nio").transportOption("nio.bindAddress", "0.0.0.0");
    }

    private Cluster start(java.util.function.UnaryOperator<DXNetConfig.Builder> settings) {
        return new Cluster(List.of(Ports.map(0, addresses)), settings);
    }

    @Test
    void shouldListenOnLoopbackWithoutConfiguration() {
        try (Cluster cluster = start(builder -> builder.transport("nio"))) {
            assertThat(cluster.node(0).describe()).contains("security=local (loopback only)");
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldNotListenBeyondLoopbackWithoutConfiguration() {
        assertThatThrownBy(() -> start(ReachTest::everywhere))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("security=key")
                .hasMessageContaining("security=tls")
                .hasMessageContaining("security=none");
    }

    @Test
    void shouldListenBeyondLoopbackWhereThatIsConfiguredAndLogIt() {
        try (Cluster cluster = start(builder -> everywhere(builder).security(SecurityMode.NONE))) {
            assertThat(cluster.node(0).describe()).contains("security=none");
        }
        assertThat(lines).singleElement().asString().startsWith("WARNING").contains("security=none");
        lines.clear();
        try (Cluster cluster = start(builder -> Protection.KEY.member(everywhere(builder)))) {
            assertThat(cluster.node(0).describe()).contains("security=key (1 key of the application's keySource)");
        }
        assertThat(lines).singleElement().asString().startsWith("INFO").contains("security=key");
    }

    @Test
    void shouldCountAndRecordAndLogARefusedHandshake() throws Exception {
        Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording();
                Cluster cluster = start(builder -> builder.transport("nio"))) {
            recording.enable("dxnet.HandshakeRefused");
            recording.start();
            try (RawPeer stranger = new RawPeer(Ports.resolved(addresses.getFirst())).write(new byte[100])) {
                assertThat(stranger.isCutOff()).isTrue();
            }
            assertThat(cluster.node(0).statistics().handshakesRefused()).isEqualTo(1);
            assertThat(cluster.node(0).describe()).contains("(refused: 1 x not a DXNet handshake)");
            recording.stop();
            recording.dump(file);
        }
        assertThat(lines).singleElement().asString().contains("node 0 refused a connection from /127.0.0.1:");
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("dxnet.HandshakeRefused"))
                .toList();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getInt("ownNode")).isZero();
            assertThat(event.getString("cause")).isEqualTo("not a DXNet handshake");
            assertThat(event.getString("address")).startsWith("/127.0.0.1:");
        });
    }
}
