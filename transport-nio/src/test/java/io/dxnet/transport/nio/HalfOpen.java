package io.dxnet.transport.nio;

import io.dxnet.contract.ChildProcess;
import io.dxnet.contract.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * A process with connections to a node that never finish their handshake: a third of them sends
 * nothing, a third a part of the first message, a third all that was recorded of it. It ends with
 * its standard input, so it can't outlive the test.
 */
final class HalfOpen implements AutoCloseable {
    private static final int COUNT_MAX = 10_000;
    private static final int COUNT_WITHOUT_LIMITS = 100;
    private static final int DESCRIPTORS_FOR_OTHERS = 1000;
    private static final int PART_BYTES = 20;

    private final Process process;
    private final BufferedReader out;
    private final int count;

    /** Starts it; nothing is open yet. */
    HalfOpen(String address, int count, byte[] first) throws Exception {
        this.count = count;
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ChildProcess.classPath(),
                        HalfOpen.class.getName(),
                        address,
                        "" + count,
                        HexFormat.of().formatHex(first))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.out = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** As many as two processes may hold one end of each. */
    static int affordable() {
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            return limits.filter(line -> line.startsWith("Max open files"))
                    .mapToInt(line -> Integer.parseInt(line.split(" +")[3]) - DESCRIPTORS_FOR_OTHERS)
                    .map(most -> Math.clamp(most, COUNT_WITHOUT_LIMITS, COUNT_MAX))
                    .findFirst()
                    .orElse(COUNT_WITHOUT_LIMITS);
        } catch (IOException e) {
            return COUNT_WITHOUT_LIMITS; // not Linux
        }
    }

    /** Waits until all were opened: some of them may have ended. */
    void awaitOpen() throws IOException {
        expect("open " + count);
    }

    /** Waits until the node has ended all of them. */
    void awaitEnd() throws IOException {
        expect("ended " + count);
    }

    private void expect(String line) throws IOException {
        String found = out.readLine();
        if (!line.equals(found)) {
            throw new AssertionError("expected '" + line + "', not '" + found + "'");
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.destroyForcibly();
    }

    // ---------------------------------------------------------------- the process

    /** Arguments: the address, the number of connections, the first message in hexadecimal. */
    public static void main(String[] args) throws Exception {
        Thread.ofPlatform().daemon().start(HalfOpen::endWithInput);
        InetSocketAddress address = Ports.resolved(args[0]);
        int count = Integer.parseInt(args[1]);
        ByteBuffer first = ByteBuffer.wrap(HexFormat.of().parseHex(args[2]));
        Selector selector = Selector.open();
        int ended = 0;
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.connect(address);
                switch (i % 3) {
                    case 0 -> channel.write(first.rewind());
                    case 1 -> channel.write(first.slice(0, PART_BYTES));
                    default -> {
                        // silent
                    }
                }
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            } catch (IOException e) { // evicted meanwhile
                channel.close();
                ended++;
            }
        }
        System.out.println("open " + count);
        ByteBuffer scratch = ByteBuffer.allocate(4096);
        int[] more = {0};
        while (ended + more[0] < count) {
            selector.select(key -> more[0] += isEnded(key, scratch) ? 1 : 0);
        }
        System.out.println("ended " + count);
        while (true) {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is expected
            }
        } catch (IOException e) {
            // the same
        }
        Runtime.getRuntime().halt(0);
    }

    private static boolean isEnded(SelectionKey key, ByteBuffer scratch) {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            int bytes;
            do {
                bytes = channel.read(scratch.clear());
            } while (bytes > 0);
            if (bytes == 0) {
                return false;
            }
        } catch (IOException e) {
            // reset: it was evicted
        }
        try {
            channel.close();
        } catch (IOException e) {
            // closed all the same
        }
        return true;
    }
}
