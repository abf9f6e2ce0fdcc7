package io.dxnet.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Message;
import io.dxnet.NodeMap;
import io.dxnet.Request;
import io.dxnet.RequestTimeoutException;
import io.dxnet.Response;
import io.dxnet.contract.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each JFR event is recorded when its cause happens, and none when no recording runs. */
@Timeout(60)
class JfrEventsTest {
    private static final String[] NAMES = {
        "dxnet.Connect", "dxnet.Disconnect", "dxnet.BackPressure", "dxnet.RequestTimeout", "dxnet.HandlerException"
    };

    @TempDir
    Path directory;

    /** 1000 bytes. */
    static final class Block extends Message {
        Block() {}

        Block(int destination) {
            super(destination, 1, 1);
        }

        @Override
        public void exportObject(io.dxnet.Exporter exporter) {
            exporter.writeBytes(new byte[1000]);
        }

        @Override
        public void importObject(io.dxnet.Importer importer) {
            importer.readBytes(new byte[1000]);
        }

        @Override
        public int sizeOfObject() {
            return 1000;
        }
    }

    /** Never answered. */
    static final class Ask extends Request<Response> {
        Ask() {}

        Ask(int destination) {
            super(destination, 1, 2);
        }
    }

    @Test
    void shouldRecordEachEventWhenEnabled() throws Exception {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            for (String name : NAMES) {
                recording.enable(name).withThreshold(Duration.ZERO);
            }
            recording.start();
            provoke();
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file).stream()
                        .map(RecordedEvent::getEventType)
                        .map(jdk.jfr.EventType::getName))
                .contains(NAMES);
    }

    @Test
    void shouldRecordNothingWhenNobodyAsked() throws Exception {
        Path file = directory.resolve("none.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            provoke();
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file).stream()
                        .map(event -> event.getEventType().getName()))
                .doesNotContain(NAMES);
    }

    private static DXNet node(int id) {
        DXNetConfig config = DXNetConfig.builder()
                .transport("loopback")
                .clusterName("events")
                .flowControlWindowBytes(16 << 10)
                .errorHandler((what, error) -> {})
                .build();
        return new DXNet(config, new NodeMap(id));
    }

    private static void provoke() throws Exception {
        try (DXNet from = node(0);
                DXNet to = node(1)) {
            Semaphore permits = new Semaphore(0);
            AtomicInteger received = new AtomicInteger();
            to.registerMessageType(1, 1, Block::new);
            to.registerMessageType(1, 2, Ask::new);
            to.register(1, 2, message -> {});
            to.register(1, 1, message -> {
                permits.tryAcquire(30, TimeUnit.SECONDS);
                received.incrementAndGet();
                throw new IllegalStateException("provoked");
            });
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 50; i++) {
                        from.sendMessage(new Block(1));
                    }
                } catch (io.dxnet.DXNetException e) {
                    throw new AssertionError(e);
                }
            });
            Cluster.await("a blocked sender", () -> from.statistics().sendsBlocked() > 0);
            permits.release(50);
            sender.join();
            Cluster.await("all blocks", () -> received.get() == 50);
            assertThatThrownBy(() -> from.sendSync(new Ask(1), Duration.ofMillis(20)))
                    .isInstanceOf(RequestTimeoutException.class);
        }
    }
}
