package io.dxnet.tools.compare.peers;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Aeron, over UDP or over shared memory (IPC). */
final class AeronPeer implements Peer {
    private static final int PING_STREAM = 1001;
    private static final int PONG_STREAM = 1002;
    private static final int FRAGMENTS = 256;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final boolean ipc;

    AeronPeer(boolean ipc) {
        this.ipc = ipc;
    }

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                ipc ? "aeron-ipc" : "aeron-udp",
                ipc ? "Aeron IPC" : "Aeron UDP",
                Versions.of("aeron"),
                ipc ? "shared memory" : "UDP",
                true,
                (ipc
                                ? "one media driver, in the server's process, with BackoffIdleStrategy where it is shared; "
                                : "a media driver in each process; ")
                        + AeronMedia.describe()
                        + "; an exclusive publication with offer() for each thread; up to " + FRAGMENTS
                        + " fragments for each poll(), read in place; bounds checks off",
                "https://github.com/aeron-io/aeron/wiki/Thread-Utilisation "
                        + "https://github.com/aeron-io/aeron/wiki/Best-Practices-Guide "
                        + "https://github.com/aeron-io/benchmarks",
                "objects, types and callbacks per type, request/response, connections made on demand by node id, waiting instead of "
                        + "refusing when the receiver is slow" + (ipc ? ", other machines" : ""),
                "multicast, archive, cluster; several receivers of one stream"
                        + (ipc ? "" : "; loss is repaired by Aeron itself"));
    }

    @Override
    public List<String> javaFlags() {
        return List.of(
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Dagrona.disable.bounds.checks=true",
                "-Djava.net.preferIPv4Stack=true");
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        int[] ports = ipc ? new int[2] : Ports.udp(2);
        AeronMedia media = AeronMedia.withDriver(!ipc, workload.threads());
        String address = ports[0] + " " + ports[1] + " " + media.directory();
        Subscription subscription = media.subscribe(channel(address, 0), PING_STREAM);
        IdleStrategy idle = AeronMedia.idleStrategy();
        FragmentHandler handler = workload.mode() == Workload.Mode.ONE_WAY
                ? count(inbox.tap())
                : echo(media.publish(channel(address, 1), PONG_STREAM));
        FragmentAssembler assembler = new FragmentAssembler(handler);
        ServerThread thread = ServerThread.start(() -> idle.idle(subscription.poll(assembler, FRAGMENTS)));
        return new Server(media, thread, address);
    }

    private String channel(String address, int direction) {
        return ipc ? "aeron:ipc" : "aeron:udp?endpoint=127.0.0.1:" + address.split(" ")[direction];
    }

    private static FragmentHandler count(Tap tap) {
        return (buffer, offset, length, header) -> {
            if (tap.wants(length)) {
                buffer.getBytes(offset, tap.copy());
            }
            tap.received(length);
        };
    }

    private static FragmentHandler echo(Publication publication) {
        return (buffer, offset, length, header) -> offer(publication, buffer, offset, length);
    }

    /** Offers until the publication accepts it. */
    private static void offer(Publication publication, DirectBuffer buffer, int offset, int length) {
        IdleStrategy idle = AeronMedia.idleStrategy();
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (publication.offer(buffer, offset, length) < 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the publication accepts nothing");
            }
            idle.idle();
        }
    }

    @Override
    public PeerClient connect(Workload workload, String address) throws Exception {
        AeronMedia media =
                ipc ? AeronMedia.ofDriver(address.split(" ")[2]) : AeronMedia.withDriver(true, workload.threads());
        return new Client(media, channel(address, 0), channel(address, 1));
    }

    private record Server(AeronMedia media, ServerThread thread, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            thread.close();
            media.close();
        }
    }

    private record Client(AeronMedia media, String pingChannel, String pongChannel) implements PeerClient {
        @Override
        public Sender sender(int thread) throws Exception {
            ExclusivePublication publication = media.publishExclusive(pingChannel, PING_STREAM);
            AeronMedia.await(publication::isConnected, "no subscriber");
            IdleStrategy idle = AeronMedia.idleStrategy();
            UnsafeBuffer buffer = new UnsafeBuffer();
            return payload -> {
                buffer.wrap(payload);
                long position = publication.offer(buffer, 0, payload.length);
                if (position < 0) {
                    if (position == Publication.CLOSED || position == Publication.NOT_CONNECTED) {
                        throw new IOException("the publication is not connected any more");
                    }
                    idle.idle();
                    return false;
                }
                return true;
            };
        }

        @Override
        public void pingPong(PingPong loop) throws Exception {
            Subscription subscription = media.subscribe(pongChannel, PONG_STREAM);
            Publication publication = media.publish(pingChannel, PING_STREAM);
            AeronMedia.await(() -> subscription.isConnected() && publication.isConnected(), "no echo server");
            FragmentAssembler answers = new FragmentAssembler((buffer, offset, length, header) -> {
                if (loop.wants(length)) {
                    buffer.getBytes(offset, loop.copy());
                }
                loop.answered(length);
            });
            IdleStrategy idle = AeronMedia.idleStrategy();
            UnsafeBuffer ping = new UnsafeBuffer();
            while (loop.next()) {
                ping.wrap(loop.payload());
                offer(publication, ping, 0, loop.payload().length);
                long deadline = System.nanoTime() + PATIENCE_NS;
                idle.reset();
                while (subscription.poll(answers, 1) == 0) {
                    if (System.nanoTime() > deadline) {
                        throw new IOException("no answer");
                    }
                    idle.idle();
                }
            }
        }

        @Override
        public void close() {
            media.close();
        }
    }
}
