package io.dxnet.softhca;

import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures a device on the wire beside a plain {@link DatagramChannel}, in turn, each with one
 * thread that sends and one that receives by polling: payloads received in a second, and times of
 * round trips. Run it with {@code WireRate SECONDS}, after {@code ./dxnet build}.
 */
final class WireRate {
    private static final int CHAIN = 32;
    private static final int HEADERS = 16;
    private static final int RECEIVES = 512;
    private static final int ROUNDS = 3;
    private static final String SENDER = "soft@127.0.0.2";
    private static final String RECEIVER = "soft@127.0.0.3";

    /** Seven times a second: on a busy machine an end may wait for its core. */
    private static final Node.Tuning PATIENT = new Node.Tuning(18, 6, 7, 12);

    private final long runNs;

    private WireRate(long runNs) {
        this.runNs = runNs;
    }

    public static void main(String[] arguments) throws Exception {
        WireRate rate = new WireRate((long) (Double.parseDouble(arguments[0]) * 1e9));
        for (int bytes : new int[] {64, 4096}) {
            for (int round = 0; round < ROUNDS; round++) {
                double raw = rate.raw(bytes);
                double verbs = rate.verbs(bytes);
                System.out.printf(
                        "%4d B: datagrams %,9.0f /s, sends of soft@ %,9.0f /s, ratio %.2f%n",
                        bytes, raw, verbs, verbs / raw);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            Trips raw = rate.rawRoundTrips();
            Trips verbs = rate.verbsRoundTrips();
            System.out.printf(
                    "  64 B: round trip of datagrams p50 %.1f µs (p10 %.1f), of sends p50 %.1f µs (p10 %.1f), ratio %.2f (%.2f)%n",
                    raw.us(0.5),
                    raw.us(0.1),
                    verbs.us(0.5),
                    verbs.us(0.1),
                    verbs.us(0.5) / raw.us(0.5),
                    verbs.us(0.1) / raw.us(0.1));
        }
    }

    /** The times of round trips; the tenth percentile is that of quiet times. */
    private static final class Trips {
        private final long[] ns = new long[2_000_000];
        private int count;

        void add(long tripNs) {
            if (count < ns.length) {
                ns[count++] = tripNs;
            }
        }

        /** Of the trips in ascending order, the one behind a share of them, in microseconds. */
        double us(double share) {
            long[] sorted = Arrays.copyOf(ns, count);
            Arrays.sort(sorted);
            return count == 0 ? Double.NaN : sorted[(int) (count * share)] / 1e3;
        }
    }

    private static DatagramChannel open(int last) throws Exception {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
        channel.bind(new InetSocketAddress("127.0.0." + last, 4791));
        channel.configureBlocking(false);
        return channel;
    }

    private double raw(int bytes) throws Exception {
        AtomicLong received = new AtomicLong();
        try (DatagramChannel from = open(2);
                DatagramChannel to = open(3)) {
            InetSocketAddress target = new InetSocketAddress("127.0.0.3", 4791);
            long end = System.nanoTime() + runNs;
            Thread receiver = Thread.ofPlatform().start(() -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
                try {
                    while (System.nanoTime() < end) {
                        buffer.clear();
                        if (to.receive(buffer) != null) {
                            received.setPlain(received.getPlain() + 1);
                        }
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + HEADERS);
            while (System.nanoTime() < end) {
                from.send(buffer.clear(), target);
            }
            receiver.join();
        }
        return received.get() * 1e9 / runNs;
    }

    /** A connection whose receiver's thread posts each receive again. */
    private static final class Connection implements AutoCloseable {
        final Node a = new Node(SENDER);
        final Node b = new Node(RECEIVER);
        final long sendCq = a.cq(1024);
        final long recvCq = b.cq(1024);
        final long answers = a.cq(1024);
        final long qpA = a.qp(Ibv.IBV_QPT_RC, sendCq, answers, 0, RECEIVES, 1, 0);
        final long qpB = b.qp(Ibv.IBV_QPT_RC, b.cq(1024), recvCq, 0, RECEIVES, 1, 0);
        final long from;
        final long to;
        final int fromKey;
        final int toKey;
        final long wcs = a.memory(48 * 64);
        final long bad = a.memory(8);

        Connection(int bytes) {
            a.mtu = Ibv.IBV_MTU_4096;
            b.mtu = Ibv.IBV_MTU_4096;
            Node.connect(a, qpA, b, qpB, PATIENT);
            from = a.memory(bytes);
            to = b.memory(bytes);
            fromKey = Node.key(a.register(from, bytes, Node.ALL_ACCESS));
            toKey = Node.key(b.register(to, bytes, Node.ALL_ACCESS));
        }

        @Override
        public void close() {
            b.close();
            a.close();
        }
    }

    /** Polls; a failed completion ends the measurement: what follows it costs nothing. */
    private static int poll(long cq, int entries, long wcs) {
        int count = DataVerbs.poll_cq(cq, entries, wcs);
        for (int i = 0; i < count; i++) {
            int status = Memory.getInt(wcs + i * Offsets.WC_SIZE + Offsets.WC_STATUS);
            if (status != 0) {
                System.err.println("the connection failed with status " + status);
                System.exit(1);
            }
        }
        return count;
    }

    private double verbs(int bytes) throws Exception {
        AtomicLong received = new AtomicLong();
        try (Connection c = new Connection(bytes)) {
            long receive = c.b.recv(0, c.to, bytes, c.toKey);
            for (int i = 0; i < RECEIVES; i++) {
                Node.postRecv(c.qpB, receive, c.bad);
            }
            long end = System.nanoTime() + runNs;
            Thread receiver = Thread.ofPlatform().start(() -> {
                long wcs = LibC.calloc(48 * 64);
                long bad = LibC.calloc(8);
                while (System.nanoTime() < end) {
                    int count = poll(c.recvCq, 64, wcs);
                    for (int i = 0; i < count; i++) {
                        DataVerbs.post_recv(c.qpB, receive, bad);
                    }
                    received.setPlain(received.getPlain() + count);
                }
            });
            long[] sends = new long[CHAIN];
            for (int i = 0; i < CHAIN; i++) {
                int flags = i == CHAIN - 1 ? Ibv.IBV_SEND_SIGNALED : 0;
                sends[i] = c.a.send(i, Ibv.IBV_WR_SEND, flags, c.from, bytes, c.fromKey);
            }
            long chain = Node.chain(sends);
            int chains = 0;
            while (System.nanoTime() < end) {
                if (chains < 8) {
                    DataVerbs.post_send(c.qpA, chain, c.bad);
                    chains++;
                }
                chains -= poll(c.sendCq, 64, c.wcs);
            }
            receiver.join();
        }
        return received.get() * 1e9 / runNs;
    }

    private Trips rawRoundTrips() throws Exception {
        Trips trips = new Trips();
        try (DatagramChannel from = open(2);
                DatagramChannel to = open(3)) {
            InetSocketAddress there = new InetSocketAddress("127.0.0.3", 4791);
            InetSocketAddress back = new InetSocketAddress("127.0.0.2", 4791);
            long end = System.nanoTime() + runNs;
            Thread echo = Thread.ofPlatform().start(() -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
                try {
                    while (System.nanoTime() < end) {
                        buffer.clear();
                        if (to.receive(buffer) != null) {
                            to.send(buffer.flip(), back);
                        }
                    }
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            ByteBuffer buffer = ByteBuffer.allocateDirect(64 + HEADERS);
            while (System.nanoTime() < end) {
                long begin = System.nanoTime();
                from.send(buffer.clear(), there);
                do {
                    buffer.clear();
                } while (from.receive(buffer) == null && System.nanoTime() < end);
                trips.add(System.nanoTime() - begin);
            }
            echo.join();
        }
        return trips;
    }

    private Trips verbsRoundTrips() throws Exception {
        Trips trips = new Trips();
        try (Connection c = new Connection(64)) {
            long receiveThere = c.b.recv(0, c.to, 64, c.toKey);
            long receiveHere = c.a.recv(0, c.from, 64, c.fromKey);
            long send = c.a.signaled(1, c.from, 64, c.fromKey);
            long answer = c.b.signaled(1, c.to, 64, c.toKey);
            long answerCq = Memory.getLong(c.qpB + 24);
            Node.postRecv(c.qpB, receiveThere, c.bad);
            long end = System.nanoTime() + runNs;
            Thread echo = Thread.ofPlatform().start(() -> {
                long wcs = LibC.calloc(48 * 64);
                long bad = LibC.calloc(8);
                while (System.nanoTime() < end) {
                    if (poll(c.recvCq, 1, wcs) > 0) {
                        DataVerbs.post_recv(c.qpB, receiveThere, bad);
                        DataVerbs.post_send(c.qpB, answer, bad);
                        poll(answerCq, 64, wcs);
                    }
                }
            });
            while (System.nanoTime() < end) {
                long begin = System.nanoTime();
                DataVerbs.post_recv(c.qpA, receiveHere, c.bad);
                DataVerbs.post_send(c.qpA, send, c.bad);
                while (poll(c.answers, 1, c.wcs) == 0 && System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                poll(c.sendCq, 64, c.wcs);
                trips.add(System.nanoTime() - begin);
            }
            echo.join();
        }
        return trips;
    }
}
