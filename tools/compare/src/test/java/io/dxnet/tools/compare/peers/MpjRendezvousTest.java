package io.dxnet.tools.compare.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MpjRendezvousTest {
    @Test
    void shouldNameItsPortInTheConfiguration() {
        assertThat(MpjRendezvous.configuration(4711))
                .startsWith("#Number of Processes;2;")
                .endsWith(";#Server Name;127.0.0.1;#Server Port;4711");
    }

    /** Whichever of them comes first. */
    @Test
    @Timeout(60)
    void shouldSendThePortsOfAllRanksToEach() throws Exception {
        try (MpjRendezvous rendezvous = new MpjRendezvous()) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try {
                    rendezvous.serve();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (Socket one = new Socket(InetAddress.getLoopbackAddress(), rendezvous.port());
                    Socket zero = new Socket(InetAddress.getLoopbackAddress(), rendezvous.port())) {
                announce(one, 31, 41, 1);
                announce(zero, 30, 40, 0);
                String all = "#Peer Information;127.0.0.1@40@30@0;127.0.0.1@41@31@1";
                assertThat(new DataInputStream(one.getInputStream()).readUTF()).isEqualTo(all);
                assertThat(new DataInputStream(zero.getInputStream()).readUTF()).isEqualTo(all);
            }
            served.join();
        }
    }

    private static void announce(Socket socket, int writePort, int readPort, int rank) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF("hello");
        out.writeInt(writePort);
        out.writeInt(readPort);
        out.writeInt(rank);
    }
}
