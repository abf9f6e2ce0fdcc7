package io.dxnet.verbs.pingpong;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.AddressHandle;
import io.dxnet.ibverbs.AddressVector;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpOptions;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WorkCompletion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program like {@code ibv_rc_pingpong}, {@code ibv_srq_pingpong} and {@code ibv_ud_pingpong} of
 * rdma-core, and a peer for them. The C programs receive into the buffer they send from, so they
 * send back what they got: as a client this one sends other bytes each time and checks that exactly
 * these come back; as a server it sends back what it gets and checks that it never changes.
 */
public final class Pingpong implements AutoCloseable {
    private static final int QKEY = 0x1111_1111;
    private static final int GRH_BYTES = 40;
    private static final int SRQ_SLOTS = 256;
    private static final int SEND = 1;
    private static final int RECEIVE = 2;

    private final PingpongOptions options;
    private final boolean client;
    private final Context context;
    private final ProtectionDomain domain;
    private final GidEntry gid;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final SharedReceiveQueue shared;
    private final List<QueuePair> pairs = new ArrayList<>();
    private final int prefix;
    private final int slotBytes;
    /** One slot for each receive; the id of a receive is its slot. */
    private final MemoryRegion received;
    /** One slot for each queue pair. */
    private final MemoryRegion sent;

    private final ReceiveChain receives = new ReceiveChain(1, 1);
    private final SendChain sends = new SendChain(1, 1);
    private List<QpAddress> others;
    private AddressHandle handle;
    private int sendCount;
    private int receiveCount;

    private Pingpong(PingpongOptions options) {
        this.options = options;
        this.client = options.server != null;
        Device device = options.device == null ? Device.list().getFirst() : Device.named(options.device);
        context = device.open();
        domain = context.allocateProtectionDomain();
        gid = options.gidIndex < 0
                ? context.chooseGid(options.port)
                : context.gids(options.port).stream()
                        .filter(e -> e.index() == options.gidIndex)
                        .findFirst()
                        .orElseThrow();
        channel = options.events ? context.createCompletionChannel() : null;
        queue = context.createCompletionQueue(
                CompletionQueue.options(options.receives + options.pairs).channel(channel));
        shared = options.mode == PingpongOptions.Mode.SRQ ? domain.createSharedReceiveQueue(options.receives, 1) : null;
        prefix = options.mode == PingpongOptions.Mode.UD ? GRH_BYTES : 0;
        slotBytes = prefix + options.size;
        received = domain.allocate((long) options.receives * slotBytes, Access.LOCAL_WRITE);
        sent = domain.allocate((long) options.pairs * options.size, Access.LOCAL_WRITE);
        QpType type = options.mode == PingpongOptions.Mode.UD ? QpType.UD : QpType.RC;
        for (int i = 0; i < options.pairs; i++) {
            QpOptions made = QueuePair.options(type, queue, queue)
                    .send(1, 1)
                    .receive(options.receives, 1)
                    .signalAll();
            pairs.add(domain.createQueuePair(shared == null ? made : made.shared(shared)));
        }
    }

    private void connect() throws IOException {
        Random random = new Random();
        List<QpAddress> own = new ArrayList<>();
        for (QueuePair pair : pairs) {
            own.add(pair.addressFor(gid, random.nextInt(1 << 24)));
            System.out.println("  local address:  " + own.getLast());
        }
        int slots = options.mode == PingpongOptions.Mode.SRQ ? SRQ_SLOTS : 1;
        if (client) {
            others = PingpongExchange.client(options.server, options.tcpPort, own, slots);
            getReady(own);
        } else {
            others = PingpongExchange.server(options.tcpPort, own, slots, remote -> {
                others = remote;
                getReady(own);
            });
        }
        others.subList(0, pairs.size()).forEach(other -> System.out.println("  remote address: " + other));
    }

    private void getReady(List<QpAddress> own) {
        for (int i = 0; i < pairs.size(); i++) {
            QueuePair pair = pairs.get(i);
            if (options.mode == PingpongOptions.Mode.UD) {
                pair.activate(options.port, QKEY, own.get(i).psn());
                handle = domain.createAddressHandle(
                        AddressVector.of(gid, others.get(i).gid()));
            } else {
                pair.connect(
                        gid,
                        own.get(i).psn(),
                        others.get(i),
                        new ConnectOptions()
                                .mtu(options.mtu)
                                .timeout(options.timeout)
                                .maxReadAtomic(1)
                                .access());
            }
        }
        for (int slot = 0; slot < options.receives; slot++) {
            post(pairs.getFirst(), slot);
        }
    }

    private void post(QueuePair pair, int slot) {
        receives.clear().receive(slot).sge(received, (long) slot * slotBytes, slotBytes);
        int taken = shared == null ? pair.postReceive(receives) : shared.post(receives);
        if (taken != 1) {
            throw new IllegalStateException("no room for receive " + slot);
        }
    }

    private void run() {
        byte[] expected = new byte[pairs.size()];
        int[] pending = new int[pairs.size()];
        if (channel != null) {
            queue.requestNotification(false);
        }
        long start = System.nanoTime();
        for (int i = 0; i < pairs.size(); i++) {
            pending[i] = RECEIVE;
            if (client) {
                expected[i] = ping(i, (byte) 1);
                pending[i] |= SEND;
            }
        }
        WorkCompletion batch = new WorkCompletion(64);
        while (receiveCount < options.iterations || sendCount < options.iterations) {
            int count = await(batch);
            for (int c = 0; c < count; c++) {
                batch.at(c);
                if (!batch.isSuccess()) {
                    throw new IllegalStateException(batch.toString());
                }
                int index = indexOf(batch.qpNumber());
                if (batch.isReceive()) {
                    byte got = check((int) batch.id(), batch.byteLength(), expected[index]);
                    expected[index] = client ? expected[index] : got;
                    post(pairs.get(index), (int) batch.id());
                    receiveCount++;
                    pending[index] &= ~RECEIVE;
                } else {
                    sendCount++;
                    pending[index] &= ~SEND;
                }
                if (pending[index] == 0 && sendCount < options.iterations) {
                    byte value = client ? (byte) (expected[index] % 100 + 1) : expected[index];
                    expected[index] = ping(index, value);
                    pending[index] = SEND | RECEIVE;
                }
            }
        }
        double us = (System.nanoTime() - start) / 1e3;
        // The C program's connections share one buffer in srq mode, so
        // what comes back may be another's.
        String checked = options.mode == PingpongOptions.Mode.SRQ ? "lengths and connections" : "every byte";
        System.out.printf(
                "%d iters in %.2f seconds = %.2f usec/iter, %s checked%n",
                options.iterations, us / 1e6, us / options.iterations, checked);
    }

    private int await(WorkCompletion batch) {
        while (true) {
            int count = queue.poll(batch);
            if (count > 0) {
                return count;
            }
            if (channel != null) {
                channel.await(-1);
                queue.requestNotification(false);
            }
        }
    }

    private int indexOf(int qpNumber) {
        for (int i = 0; i < pairs.size(); i++) {
            if (pairs.get(i).number() == qpNumber) {
                return i;
            }
        }
        throw new IllegalStateException("a completion of queue pair " + qpNumber + ", which is not ours");
    }

    private byte ping(int index, byte value) {
        long offset = (long) index * options.size;
        sent.memory().asSlice(offset, options.size).fill(value);
        sends.clear();
        if (options.mode == PingpongOptions.Mode.UD) {
            sends.datagram(index, handle, others.get(index).qpNumber(), QKEY);
        } else {
            sends.send(index);
        }
        sends.sge(sent, offset, options.size);
        if (pairs.get(index).postSend(sends) != 1) {
            throw new IllegalStateException("the send queue is full");
        }
        return value;
    }

    /**
     * All bytes are one value; a client's own, a server's the same every time. In srq mode
     * only the length can be checked.
     */
    private byte check(int slot, long length, byte expected) {
        if (length != slotBytes) {
            throw new IllegalStateException("received " + length + " bytes, not " + slotBytes);
        }
        MemorySegment message = received.memory().asSlice((long) slot * slotBytes + prefix, options.size);
        byte first = message.get(ValueLayout.JAVA_BYTE, 0);
        boolean mustMatch = options.mode != PingpongOptions.Mode.SRQ && (client || receiveCount > 0);
        if (mustMatch && first != expected) {
            throw new IllegalStateException("received " + first + ", not " + expected);
        }
        for (long i = 1; i < options.size && options.mode != PingpongOptions.Mode.SRQ; i++) {
            if (message.get(ValueLayout.JAVA_BYTE, i) != first) {
                throw new IllegalStateException("byte " + i + " is not " + first);
            }
        }
        message.fill((byte) 0);
        return first;
    }

    @Override
    public void close() {
        context.close();
    }

    /**
     * Runs.
     *
     * @param arguments see {@code pingpong} without any
     * @throws IOException if the exchange fails
     */
    public static void main(String[] arguments) throws IOException {
        PingpongOptions options;
        try {
            options = PingpongOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        try (Pingpong pingpong = new Pingpong(options)) {
            pingpong.connect();
            pingpong.run();
        }
    }
}
