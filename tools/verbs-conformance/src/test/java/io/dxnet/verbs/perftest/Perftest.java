package io.dxnet.verbs.perftest;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.Mtu;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WcOpcode;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.verbs.perftest.PerftestOptions.Verb;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/**
 * A peer for {@code ib_send_bw}, {@code ib_write_bw}, {@code ib_read_bw} and {@code ib_atomic_bw}
 * of perftest, one connection in one direction, which checks what those do not: every byte that the
 * C program sends, writes, lets be read, or has read; and each number that an atomic operation
 * brings. What C receives from a send or write of this program nothing can check.
 */
public final class Perftest implements AutoCloseable {
    private static final int WINDOW = 64;
    private static final int READS = 16;
    private static final byte UNTOUCHED = 0x5a;
    private static final long PATIENCE_NS = 100_000_000_000L;

    private final PerftestOptions options;
    private final Context context;
    private final GidEntry gid;
    private final CompletionQueue queue;
    private final QueuePair pair;
    /** What the peer reads, writes or changes, and as much behind it that must not change. */
    private final MemoryRegion target;
    /** One slot for each request under way. */
    private final MemoryRegion slots;

    private final SendChain sends = new SendChain(1, 1);
    private final ReceiveChain receives = new ReceiveChain(1, 1);
    private final WorkCompletion done = new WorkCompletion(1);
    private PerftestBuffer peersBuffer;
    private PerftestExchange.End own;
    private PerftestExchange.End other;

    private Perftest(PerftestOptions options) {
        this.options = options;
        Device device = options.device == null ? Device.list().getFirst() : Device.named(options.device);
        context = device.open();
        gid = context.chooseGid(1);
        ProtectionDomain domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(2 * WINDOW);
        pair = domain.createQueuePair(
                QueuePair.options(QpType.RC, queue, queue).send(WINDOW, 1).receive(WINDOW, 1));
        target = domain.allocate(
                2L * options.bufferBytes(),
                Access.LOCAL_WRITE,
                Access.REMOTE_WRITE,
                Access.REMOTE_READ,
                Access.REMOTE_ATOMIC);
        slots = domain.allocate((long) WINDOW * options.size, Access.LOCAL_WRITE);
        target.memory().fill(UNTOUCHED);
        if (options.verb == Verb.READ) {
            MemorySegment.copy(
                    PerftestBuffer.random(1, options.size), 0, target.memory(), ValueLayout.JAVA_BYTE, 0, options.size);
        }
    }

    private void run() throws IOException {
        boolean client = options.server != null;
        try (PerftestExchange exchange = client
                ? PerftestExchange.client(options.server, options.tcpPort)
                : PerftestExchange.server(options.tcpPort)) {
            connect(exchange);
            long start = System.nanoTime();
            if (client) {
                request();
            } else if (options.verb == Verb.SEND) {
                receive();
            }
            if (options.verb != Verb.SEND) {
                exchange.keys(own);
                if (!client) {
                    checkTarget();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                long operations = exchange.reports(options.size, client ? options.count : 0, seconds);
                require(client || operations == options.count, "the peer did " + operations + " operations");
            }
            double us = (System.nanoTime() - start) / 1e3;
            exchange.end(own);
            String what = client && !options.verb.isFetch() ? "every completion" : "every byte";
            System.out.printf(
                    "%d operations of %d bytes in %.2f seconds, %s checked%n",
                    options.count, options.size, us / 1e6, what);
        }
    }

    private void connect(PerftestExchange exchange) throws IOException {
        Mtu mtu = exchange.begin(context.port(gid.port()).activeMtu());
        int psn = new Random().nextInt(1 << 24);
        int reads = options.verb.isFetch() ? READS : 1;
        own = new PerftestExchange.End(pair.addressFor(gid, psn), reads, target.remoteKey(), target.address());
        other = exchange.keys(own);
        pair.connect(
                gid,
                psn,
                other.pair(),
                new ConnectOptions()
                        .mtu(mtu)
                        .timeout(options.timeout)
                        .maxReadAtomic(Math.min(reads, other.reads()))
                        .access(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC));
        for (int slot = 0; slot < Math.min(WINDOW, options.count); slot++) {
            postReceive(slot);
        }
        exchange.keys(own);
        exchange.keys(own);
        if (options.verb == Verb.SEND) {
            exchange.keys(own);
        }
    }

    private void postReceive(long slot) {
        receives.clear().receive(slot).sge(slots, slot * options.size, options.size);
        require(pair.postReceive(receives) == 1, "no room for receive " + slot);
    }

    /** Does all operations. */
    private void request() {
        int posted = 0;
        for (int completed = 0; completed < options.count; completed++) {
            while (posted < options.count && posted - completed < WINDOW) {
                post(posted++);
            }
            await();
            require(done.id() == completed, "completion " + done.id() + ", not " + completed);
            checkResult(completed);
        }
    }

    private void post(int number) {
        long offset = (long) (number % WINDOW) * options.size;
        sends.clear();
        switch (options.verb) {
            case SEND -> sends.send(number);
            case WRITE -> sends.write(number, other.address(), other.key());
            case READ -> sends.read(number, other.address(), other.key());
            case ATOMIC -> sends.fetchAdd(number, other.address(), other.key(), 1);
        }
        sends.sge(slots, offset, options.size).signaled();
        require(pair.postSend(sends) == 1, "the send queue is full");
    }

    /** Waits for the next completion, which must be a success. */
    private void await() {
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (queue.poll(done) == 0) {
            require(System.nanoTime() < deadline, "nothing completes");
            Thread.yield();
        }
        require(done.at(0).isSuccess(), done.toString());
    }

    /** Checks what came from the second half of the peer's buffer. */
    private void checkResult(int number) {
        if (!options.verb.isFetch()) {
            return;
        }
        int slot = number % WINDOW;
        MemorySegment result = slots.memory().asSlice((long) slot * options.size, options.size);
        if (options.verb == Verb.ATOMIC) {
            // So many operations have added 1 before.
            result.set(ValueLayout.JAVA_LONG, 0, result.get(ValueLayout.JAVA_LONG, 0) - number);
        }
        checkPeersBytes(result, options.bufferBytes());
        result.fill(UNTOUCHED);
    }

    private void checkPeersBytes(MemorySegment part, int at) {
        if (peersBuffer == null) {
            peersBuffer = PerftestBuffer.holding(part, at, at + options.size);
        }
        int differs = peersBuffer.mismatch(part, at, options.size);
        require(differs < 0, "byte " + differs + " is not the peer's");
    }

    /** Receives all messages; each is the beginning of the peer's buffer. */
    private void receive() {
        int posted = Math.min(WINDOW, options.count);
        for (int i = 0; i < options.count; i++) {
            await();
            require(done.opcode() == WcOpcode.RECV && done.byteLength() == options.size, done.toString());
            MemorySegment message = slots.memory().asSlice(done.id() * options.size, options.size);
            checkPeersBytes(message, 0);
            message.fill(UNTOUCHED);
            if (posted < options.count) {
                posted++;
                postReceive(done.id());
            }
        }
    }

    /** What the peer has made of this side's memory, or has read of it. */
    private void checkTarget() {
        MemorySegment memory = target.memory();
        int touched = options.verb == Verb.ATOMIC ? PerftestOptions.WALKS_THROUGH : options.size;
        switch (options.verb) {
            case WRITE -> checkPeersBytes(memory.asSlice(0, options.size), 0);
            case ATOMIC -> checkSum(memory);
            default -> checkWhatThePeerRead();
        }
        for (long at = touched; at < memory.byteSize(); at++) {
            require(memory.get(ValueLayout.JAVA_BYTE, at) == UNTOUCHED, "byte " + at + " was written");
        }
    }

    private void checkSum(MemorySegment memory) {
        long before = 0x0101_0101_0101_0101L * UNTOUCHED;
        long sum = 0;
        for (int at = 0; at < PerftestOptions.WALKS_THROUGH; at += Long.BYTES) {
            sum += memory.get(ValueLayout.JAVA_LONG, at) - before;
        }
        require(sum == options.count, "the peer's operations added " + sum);
    }

    /** Reads back from the first half of the peer's buffer. */
    private void checkWhatThePeerRead() {
        sends.clear()
                .read(0, other.address() - options.bufferBytes(), other.key())
                .sge(slots, 0, options.size)
                .signaled();
        require(pair.postSend(sends) == 1, "the send queue is full");
        await();
        long differs =
                slots.memory().asSlice(0, options.size).mismatch(target.memory().asSlice(0, options.size));
        require(differs < 0, "the peer has read another byte " + differs);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /**
     * Runs.
     *
     * @param arguments see {@code perftest} without any
     * @throws IOException if the exchange fails
     */
    public static void main(String[] arguments) throws IOException {
        PerftestOptions options;
        try {
            options = PerftestOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        try (Perftest perftest = new Perftest(options)) {
            perftest.run();
        }
    }
}
