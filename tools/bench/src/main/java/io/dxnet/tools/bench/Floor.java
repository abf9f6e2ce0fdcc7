package io.dxnet.tools.bench;

import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Measures TCP with Java NIO on this machine, without DXNet. It runs a stream of payloads copied
 * into batches, one write for each batch, and a ping-pong on blocking channels. One thread runs
 * here and one in another process, over the loopback interface.
 */
final class Floor implements AutoCloseable {
    private static final int BATCH_MIN = 32 << 10;
    private static final int BATCH_MAX = 256 << 10;
    private static final double WARMUP_SECONDS = 0.3;
    private static final double SECONDS = 0.7;
    private static final long LONGEST_NS = 60_000_000_000L;

    /** The floor of one size: what was measured before and after the runs. */
    record OfSize(List<Double> messagesPerSecond, List<Rtt> rtt) {
        Span stream() {
            return Span.of(messagesPerSecond, Double::doubleValue);
        }

        Rtt rttMin() {
            return Rtt.combine(rtt, Math::min);
        }
    }

    /** By size, of streams and of round trips. */
    static final class Results {
        private final Map<Integer, OfSize> streams = new TreeMap<>();
        private final Map<Integer, OfSize> roundTrips = new TreeMap<>();

        /** The floor of a point, or null: of chains there is none. */
        OfSize of(Point point) {
            if (point.batch() > 1) {
                return null;
            }
            return (point.pattern().roundTrips() ? roundTrips : streams).get(point.size());
        }

        boolean isEmpty() {
            return streams.isEmpty() && roundTrips.isEmpty();
        }
    }

    private final ChildProcess server;
    private final Failure failure = new Failure();
    private final InetSocketAddress address;
    private final Results results = new Results();

    Floor() {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        server = new ChildProcess("floor server", Main.class, List.of("floor-server"), failure, line -> {
            if (line.startsWith(FloorServer.PORT)) {
                port.complete(Integer.parseInt(line.substring(FloorServer.PORT.length())));
            }
        });
        try {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port.get(20, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            server.close();
            failure.check();
            throw new ToolException("the floor's server did not start", e);
        } catch (InterruptedException e) {
            server.close();
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    /**
     * Measures each size once more: the ping-pong where there
     * are round trips, the stream where there are others.
     */
    void measure(Sweep sweep) {
        for (int size : sweep.sizes()) {
            try {
                if (sweep.patterns().stream().anyMatch(Pattern::roundTrips)) {
                    pingPong(size, WARMUP_SECONDS);
                    ofSize(results.roundTrips, size).rtt().add(Rtt.of(pingPong(size, SECONDS)));
                }
                if (!sweep.patterns().stream().allMatch(Pattern::roundTrips)) {
                    stream(size, WARMUP_SECONDS);
                    ofSize(results.streams, size).messagesPerSecond().add(stream(size, SECONDS));
                }
            } catch (IOException e) {
                failure.check();
                throw new ToolException("the floor for size " + size + " failed: " + e.getMessage(), e);
            }
        }
    }

    Results results() {
        return results;
    }

    private static OfSize ofSize(Map<Integer, OfSize> of, int size) {
        return of.computeIfAbsent(size, s -> new OfSize(new ArrayList<>(), new ArrayList<>()));
    }

    static int batchBytes(int size) {
        return Math.clamp(size, BATCH_MIN, BATCH_MAX);
    }

    /** Messages per second, from the first write to the other side's word that it has read all. */
    private double stream(int size, double seconds) throws IOException {
        byte[] payload = new byte[size];
        ByteBuffer batch = ByteBuffer.allocateDirect(batchBytes(size));
        try (SocketChannel channel = connect(FloorServer.STREAM, size)) {
            long start = System.nanoTime();
            long deadline = start + (long) (seconds * 1e9);
            long messages = 0;
            do {
                messages += fill(channel, batch, payload);
                FloorServer.writeFully(channel, batch.flip());
                batch.clear();
            } while (System.nanoTime() < deadline);
            channel.shutdownOutput();
            ByteBuffer answer = ByteBuffer.allocateDirect(8);
            FloorServer.readFully(channel, answer);
            double elapsed = (System.nanoTime() - start) / 1e9;
            long read = answer.getLong(0);
            if (read != messages * size) {
                throw new IOException("the other side read " + read + " bytes of " + messages * size);
            }
            return messages / elapsed;
        }
    }

    /**
     * Copies whole payloads until the batch is full; one larger
     * than the batch is written in pieces on the way.
     */
    private static long fill(SocketChannel channel, ByteBuffer batch, byte[] payload) throws IOException {
        if (payload.length <= batch.capacity()) {
            long messages = 0;
            while (batch.remaining() >= payload.length) {
                batch.put(payload);
                messages++;
            }
            return messages;
        }
        for (int offset = 0; offset < payload.length; ) {
            int length = Math.min(batch.remaining(), payload.length - offset);
            batch.put(payload, offset, length);
            offset += length;
            if (offset < payload.length) {
                FloorServer.writeFully(channel, batch.flip());
                batch.clear();
            }
        }
        return 1;
    }

    private Histogram pingPong(int size, double seconds) throws IOException {
        Histogram times = new Histogram(LONGEST_NS, 3);
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        try (SocketChannel channel = connect(FloorServer.PING_PONG, size)) {
            long start = System.nanoTime();
            long deadline = start + (long) (seconds * 1e9);
            long before = start;
            do {
                FloorServer.writeFully(channel, buffer.clear());
                FloorServer.readFully(channel, buffer.clear());
                long now = System.nanoTime();
                times.recordValue(Math.min(now - before, LONGEST_NS));
                before = now;
            } while (before < deadline);
        }
        return times;
    }

    private SocketChannel connect(int mode, int size) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer head = ByteBuffer.allocateDirect(8);
        head.putInt(mode).putInt(size).flip();
        FloorServer.writeFully(channel, head);
        return channel;
    }

    @Override
    public void close() {
        server.close();
    }
}
