package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are started by hand wait for each other. */
@Timeout(60)
class WaitTest {
    private static final int SECONDS = 3;

    @TempDir
    Path directory;

    /** In place of node 1, which never comes: hangs up on each attempt, and counts. */
    private static final class Nobody implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger attempts = new AtomicInteger();

        Nobody() throws IOException {
            Thread.ofPlatform().daemon().start(this::run);
        }

        private void run() {
            while (true) {
                try (Socket _ = socket.accept()) {
                    attempts.incrementAndGet();
                } catch (SocketException e) {
                    return; // closed
                } catch (IOException e) {
                    continue;
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private String run(int node, Nobody other) throws IOException {
        int ownPort;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ownPort = free.getLocalPort();
        }
        int[] ports = {ownPort, ownPort};
        ports[1 - node] = other.socket.getLocalPort();
        Path map = directory.resolve("map");
        Files.writeString(map, "0=127.0.0.1:" + ports[0] + "\n1=127.0.0.1:" + ports[1] + "\n");
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream capture = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setErr(capture);
            String line = "bench --transport nio --node " + node + " --node-map " + map + " --wait " + SECONDS;
            assertThat(Main.run(line.split(" "))).isEqualTo(1);
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldSayForWhomItWaitsAndTryAFewTimesASecond() throws IOException {
        try (Nobody node1 = new Nobody()) {
            assertThat(run(0, node1))
                    .contains("waits up to 3 s (--wait) for node 1 at 127.0.0.1:" + node1.socket.getLocalPort())
                    .contains("node 1 did not come");
            assertThat(node1.attempts).hasValueBetween(1, SECONDS * 20);
        }
    }

    @Test
    void shouldSayForWhichCoordinatorItWaits() throws IOException {
        try (Nobody node0 = new Nobody()) {
            assertThat(run(1, node0))
                    .contains("waits up to 3 s (--wait) for node 0 at 127.0.0.1:" + node0.socket.getLocalPort()
                            + " to coordinate")
                    .contains("no coordinator came");
        }
    }
}
