package io.dxnet.tools.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a process holds more than before is seen. */
class LevelsTest {
    @Test
    void shouldSeeASocketThatIsNotClosed() throws Exception {
        Levels before = Levels.now();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
            assertThat(Levels.now().growthSince(before)).contains("socket");
        }
    }

    @Test
    void shouldSeeAThreadThatIsNotEnded() throws Exception {
        Levels before = Levels.now();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().name("dxnet-7-left").daemon().start(() -> awaitEnd(end));
        assertThat(Levels.now().growthSince(before)).contains("dxnet-7-left");
        end.countDown();
        thread.join();
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldSeeNativeMemoryBeyondTheSlack() {
        Levels before = new Levels(Map.of(), List.of(), 100, 0);
        assertThat(new Levels(Map.of(), List.of(), 1124, 0).growthSince(before)).isEmpty();
        assertThat(new Levels(Map.of(), List.of(), 1125, 0).growthSince(before)).contains("native memory");
    }
}
