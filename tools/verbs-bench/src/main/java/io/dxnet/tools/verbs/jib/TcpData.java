package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Idle;
import io.dxnet.tools.verbs.Payload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Runs over a TCP connection: a write for each message, as in the paper's
 * socket benchmark, non-blocking, so that one thread serves both directions.
 * What arrives is read in larger pieces. A stream in one direction ends with
 * one byte of the receiver, so that its time includes the delivery.
 */
final class TcpData implements DataEnd, AutoCloseable {
    private static final int READ_BYTES = 1 << 18;

    private final SocketChannel channel;
    private final Duration stall;
    private final int pollingThreads;
    private final ByteBuffer sending;
    private final ByteBuffer receiving;
    private final MemorySegment sendingMemory;
    private final TcpStreamCheck check;
    private RunSpec spec;
    private boolean client;
    private long toSend;
    private long toReceive;
    private long sent;
    private long received;
    /** Bytes of the message under way that have come. */
    private long partial;

    /**
     * Uses a connection.
     *
     * @param channel open; belongs to this object now
     * @param options of both ends
     * @param pollingThreads threads that poll at the same time on this machine
     */
    TcpData(SocketChannel channel, LinkOptions options, int pollingThreads) throws IOException {
        this.channel = channel;
        this.stall = Duration.ofSeconds(options.stallSeconds());
        this.pollingThreads = pollingThreads;
        channel.configureBlocking(false);
        channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
        sending = ByteBuffer.allocateDirect(options.bytesMax());
        sendingMemory = MemorySegment.ofBuffer(sending);
        receiving = ByteBuffer.allocateDirect(Math.max(READ_BYTES, options.bytesMax()));
        check = new TcpStreamCheck(receiving, options.bytesMax());
    }

    @Override
    public void prepare(RunSpec newSpec, boolean asClient) {
        spec = newSpec;
        client = asClient;
        boolean twoWay = spec.point().pattern().isTwoWay();
        toSend = client || twoWay ? spec.messages() : 0;
        toReceive = !client || twoWay ? spec.messages() : 0;
        sent = 0;
        received = 0;
        partial = 0;
        sending.clear().limit(0);
        check.begin(spec);
        Payload.fill(sendingMemory, 0, spec.point().size(), spec.seed(), 0);
    }

    @Override
    public Outcome run(Histogram times) {
        Idle idle = new Idle(spec.point().toString(), stall, pollingThreads);
        Pattern pattern = spec.point().pattern();
        long begin = System.nanoTime();
        try {
            if (pattern == Pattern.PING_PONG) {
                pingPong(times, idle);
            } else if (pattern == Pattern.LATENCY && client) {
                oneByOne(times, idle);
            } else {
                while (sent < toSend || received < toReceive) {
                    boolean moved = write();
                    idle.step(moved | read());
                }
            }
            if (!pattern.isTwoWay()) {
                acknowledge(idle);
            }
        } catch (IOException e) {
            throw new ToolException(spec.point() + ": the TCP connection failed: " + e.getMessage(), e);
        }
        long nanos = System.nanoTime() - begin;
        return new Outcome(nanos, check.checked(), check.corrupt());
    }

    private void oneByOne(Histogram times, Idle idle) throws IOException {
        while (sent < toSend) {
            long begin = System.nanoTime();
            sendOne(idle);
            record(times, begin);
        }
    }

    private void pingPong(Histogram times, Idle idle) throws IOException {
        for (long round = 0; round < spec.messages(); round++) {
            long begin = System.nanoTime();
            if (client) {
                sendOne(idle);
            }
            while (received == round) {
                idle.step(read());
            }
            if (client) {
                record(times, begin);
            } else {
                sendOne(idle);
            }
        }
    }

    private void sendOne(Idle idle) throws IOException {
        long before = sent;
        while (sent == before) {
            idle.step(write());
        }
    }

    private static void record(Histogram times, long begin) {
        if (times != null) {
            times.recordValue(Math.min(System.nanoTime() - begin, times.getHighestTrackableValue()));
        }
    }

    /** Continues the message under way, or begins the next. */
    private boolean write() throws IOException {
        if (sent == toSend) {
            return false;
        }
        if (!sending.hasRemaining()) {
            sending.position(0).limit(spec.point().size());
            if (spec.verify() && sent > 0) {
                Payload.fill(sendingMemory, 0, spec.point().size(), spec.seed(), sent);
            }
        }
        int written = channel.write(sending);
        if (!sending.hasRemaining()) {
            sent++;
        }
        return written > 0;
    }

    private boolean read() throws IOException {
        if (received == toReceive) {
            return false;
        }
        long left = (toReceive - received) * spec.point().size() - partial;
        receiving.clear().limit((int) Math.min(left, receiving.capacity()));
        int count = channel.read(receiving);
        if (count < 0) {
            throw new IOException("the other end closed it");
        }
        if (spec.verify()) {
            check.arrived(count);
        }
        partial += count;
        received += partial / spec.point().size();
        partial %= spec.point().size();
        return count > 0;
    }

    private void acknowledge(Idle idle) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        while (one.hasRemaining()) {
            int count = client ? channel.read(one) : channel.write(one);
            if (count < 0) {
                throw new IOException("the other end closed it");
            }
            idle.step(count > 0);
        }
    }

    @Override
    public Outcome afterwards() {
        return Outcome.PASSIVE;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
