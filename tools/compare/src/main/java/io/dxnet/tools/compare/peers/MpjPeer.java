package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.dxnet.tools.compare.harness.Tap;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * MPJ Express, MPI in Java, over TCP. Its state is static: a process connects once, and the rounds
 * have tags of their own.
 */
final class MpjPeer implements Peer {
    private static final int TAGS_PER_ROUND = 128;
    private static final int ANSWERS = TAGS_PER_ROUND - 1;

    /** Of this process. Guarded by the class, as is the next one. */
    private static CompletableFuture<MpjCalls> connected;

    private static int port;
    private static int rounds;

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                "mpj-express",
                "MPJ Express",
                "of this machine",
                "TCP",
                true,
                "niodev, two ranks; each sending thread has a tag and 64 open Isend, each a copy of the payload; a receiving thread for "
                        + "each has 64 posted Irecv and waits for them in order; round trips with one Isend and one Irecv each way; "
                        + "connected once, not for each measurement",
                "http://mpj-express.org/guides.html",
                "objects by type, callbacks per type, request/response, nodes that join and leave, flow control up to the receiver's "
                        + "processing, reports of lost connections",
                "collective operations, derived datatypes, threads of one process as ranks");
    }

    /** Where Debian's package has the library's settings. */
    @Override
    public Map<String, String> environment() {
        return Map.of("MPJ_HOME", "/usr/share/mpj");
    }

    @Override
    public Optional<String> unavailabilityCause() {
        try {
            MpjCalls.load();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("needs MPJ Express, which Maven Central does not have: apt-get install libmpj-java ("
                    + e.getMessage() + ")");
        }
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        boolean oneWay = workload.mode() == Workload.Mode.ONE_WAY;
        CompletableFuture<MpjCalls> mpi = listen();
        int first = TAGS_PER_ROUND * rounds++;
        for (int i = 0; i < workload.threads(); i++) {
            int tag = first + i;
            Tap tap = inbox.tap();
            Thread.ofPlatform().name("server-" + i).daemon().start(() -> {
                try {
                    if (oneWay) {
                        new MpjRing(mpi.join(), tag, workload.size())
                                .receive((message, length) -> count(tap, message, length));
                    } else {
                        echo(mpi.join(), first, workload.size());
                    }
                } catch (Exception e) {
                    e.printStackTrace(); // the parent sees it when nothing moves any more
                }
            });
        }
        return new Server(port + " " + first);
    }

    /** Waits for the other rank, in the first round. */
    private static synchronized CompletableFuture<MpjCalls> listen() throws IOException {
        if (connected == null) {
            CompletableFuture<MpjCalls> result = new CompletableFuture<>();
            MpjRendezvous rendezvous = new MpjRendezvous();
            port = rendezvous.port();
            Thread.ofPlatform().name("rendezvous").daemon().start(() -> {
                try (rendezvous) {
                    rendezvous.serve();
                } catch (IOException e) {
                    result.completeExceptionally(e);
                }
            });
            Thread.ofPlatform().name("rank 0").daemon().start(() -> {
                try {
                    result.complete(MpjCalls.connect(0, rendezvous.port()));
                } catch (IOException e) {
                    result.completeExceptionally(e);
                }
            });
            connected = result;
        }
        return connected;
    }

    private static void count(Tap tap, byte[] message, int length) {
        if (tap.wants(length)) {
            System.arraycopy(message, 0, tap.copy(), 0, length);
        }
        tap.received(length);
    }

    /** Until a message without bytes comes. */
    private static void echo(MpjCalls mpi, int tag, int size) throws IOException {
        byte[] message = new byte[size];
        for (int length = mpi.received(mpi.irecv(message, tag));
                length > 0;
                length = mpi.received(mpi.irecv(message, tag))) {
            mpi.sent(mpi.isend(message, length, tag + ANSWERS));
        }
    }

    @Override
    public PeerClient connect(Workload workload, String address) throws Exception {
        String[] words = address.split(" ");
        return new Client(join(Integer.parseInt(words[0])), Integer.parseInt(words[1]), workload);
    }

    private static synchronized MpjCalls join(int server) throws IOException {
        if (connected == null) {
            connected = CompletableFuture.completedFuture(MpjCalls.connect(1, server));
        }
        return connected.join();
    }

    private record Server(String address) implements PeerServer {
        @Override
        public void close() {
            // its threads end with the last message of the client's
        }
    }

    private record Client(MpjCalls mpi, int tag, Workload workload) implements PeerClient {
        @Override
        public Sender sender(int thread) {
            MpjRing ring = new MpjRing(mpi, tag + thread, workload.size());
            return new Sender() {
                @Override
                public boolean send(byte[] payload) throws IOException {
                    ring.send(payload);
                    return true;
                }

                @Override
                public void close() throws IOException {
                    ring.end();
                }
            };
        }

        @Override
        public void pingPong(PingPong loop) throws IOException {
            byte[] echo = new byte[workload.size()];
            while (loop.next()) {
                Object answer = mpi.irecv(echo, tag + ANSWERS);
                mpi.sent(mpi.isend(loop.payload(), loop.payload().length, tag));
                int length = mpi.received(answer);
                if (loop.wants(length)) {
                    System.arraycopy(echo, 0, loop.copy(), 0, length);
                }
                loop.answered(length);
            }
            mpi.sent(mpi.isend(echo, 0, tag));
        }

        @Override
        public void close() {
            // the connection stays for the next round
        }
    }
}
