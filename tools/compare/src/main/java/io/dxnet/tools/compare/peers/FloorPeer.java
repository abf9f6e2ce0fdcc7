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
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * TCP with Java NIO alone, without any library: payloads copied into batches, one write for each
 * batch, and a ping-pong on blocking channels. No messages: the receiver knows the size.
 */
final class FloorPeer implements Peer {
    private static final int BATCH_BYTES = 32 << 10;

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.FLOOR,
                "nio-floor",
                "raw NIO (floor)",
                Runtime.version().toString(),
                "TCP",
                true,
                "blocking channels, one for each thread; payloads batched by hand, " + BATCH_BYTES / 1024
                        + " KiB for each write; the receiver divides bytes by the size that it knows; round trips: one write and one read "
                        + "each way",
                "tools/bench, --floor",
                "messages",
                "-");
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        ServerSocketChannel listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        boolean oneWay = workload.mode() == Workload.Mode.ONE_WAY;
        for (int i = 0; i < workload.threads(); i++) {
            Tap tap = inbox.tap();
            Thread.ofPlatform().name("server-" + i).daemon().start(() -> {
                try (SocketChannel channel = listening.accept()) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    if (oneWay) {
                        count(channel, workload.size(), tap);
                    } else {
                        echo(channel, workload.size());
                    }
                } catch (AsynchronousCloseException | EOFException e) {
                    return; // the round is over
                } catch (IOException e) {
                    e.printStackTrace(); // the parent sees it when nothing moves any more
                }
            });
        }
        int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
        return new Server(listening, Integer.toString(port));
    }

    private static void count(SocketChannel channel, int size, Tap tap) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BATCH_BYTES);
        while (channel.read(buffer) >= 0) {
            buffer.flip();
            int messages = buffer.remaining() / size;
            if (tap.wants(size)) {
                for (int i = 0; i < messages; i++) {
                    buffer.get(tap.copy());
                    tap.received(size);
                }
            } else {
                buffer.position(messages * size);
                tap.add(messages);
            }
            buffer.compact();
        }
    }

    private static void echo(SocketChannel channel, int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        while (true) {
            readFully(channel, buffer.clear());
            writeFully(channel, buffer.flip());
        }
    }

    @Override
    public PeerClient connect(Workload workload, String address) {
        return new Client(Integer.parseInt(address), workload.size());
    }

    private record Server(ServerSocketChannel listening, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            listening.close(); // the threads end with their channels, which the client closes
        }
    }

    private record Client(int port, int size) implements PeerClient {
        @Override
        public Sender sender(int thread) throws IOException {
            return new Batches(open(), ByteBuffer.allocateDirect(BATCH_BYTES / size * size));
        }

        @Override
        public void pingPong(PingPong loop) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocateDirect(size);
            try (SocketChannel channel = open()) {
                while (loop.next()) {
                    writeFully(channel, buffer.clear().put(loop.payload()).flip());
                    readFully(channel, buffer.clear());
                    if (loop.wants(size)) {
                        buffer.get(0, loop.copy());
                    }
                    loop.answered(size);
                }
            }
        }

        private SocketChannel open() throws IOException {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return channel;
        }

        @Override
        public void close() {
            // each sender has its own channel
        }
    }

    /** Collects payloads, and writes them when there are enough. */
    private record Batches(SocketChannel channel, ByteBuffer batch) implements Sender {
        @Override
        public boolean send(byte[] payload) throws IOException {
            batch.put(payload);
            if (!batch.hasRemaining()) {
                write();
            }
            return true;
        }

        private void write() throws IOException {
            writeFully(channel, batch.flip());
            batch.clear();
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                write();
            }
        }
    }

    private static void readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the other side closed the connection");
            }
        }
    }

    private static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
