package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Connections to a node that never finish their handshake: every other one sends a part of
 * its hello, the others nothing.
 */
final class HalfOpen implements AutoCloseable {
    private static final int COUNT_MAX = 4000;
    private static final int COUNT_WITHOUT_LIMITS = 100;

    private final InetSocketAddress address;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer scratch = ByteBuffer.allocate(4096);
    private int cutOff;

    HalfOpen(InetSocketAddress address) throws IOException {
        this.address = address;
    }

    /** As many as this process may hold both ends of, and leave half of its descriptors. */
    static int affordable() {
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            return limits.filter(line -> line.startsWith("Max open files"))
                    .mapToInt(line -> Integer.parseInt(line.split(" +")[3]) / 4)
                    .map(quarter -> Math.min(COUNT_MAX, quarter))
                    .findFirst()
                    .orElse(COUNT_WITHOUT_LIMITS);
        } catch (IOException e) {
            return COUNT_WITHOUT_LIMITS; // not Linux
        }
    }

    void open(int count) throws IOException {
        ByteBuffer half = ByteBuffer.wrap(Arrays.copyOf(
                NioHello.of(DXNetConfig.builder().build(), 7, 0, 1, 1, 0)
                        .encode()
                        .array(),
                40));
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            try {
                channel.connect(address);
                if (i % 2 == 0) {
                    channel.write(half.rewind());
                }
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            } catch (IOException e) { // evicted meanwhile
                channel.close();
                cutOff++;
            }
        }
    }

    /** Whether the node has ended all of them. */
    boolean areAllCutOff() {
        try {
            selector.selectNow(this::read);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return cutOff == channels.size();
    }

    private void read(SelectionKey key) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            int bytes;
            do {
                bytes = channel.read(scratch.clear());
            } while (bytes > 0);
            if (bytes == 0) {
                return;
            }
        } catch (IOException e) {
            // reset: it was evicted
        }
        try {
            channel.close();
        } catch (IOException e) {
            // closed all the same
        }
        cutOff++;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }
}
