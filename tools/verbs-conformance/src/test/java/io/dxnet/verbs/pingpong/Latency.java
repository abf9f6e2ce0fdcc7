package io.dxnet.verbs.pingpong;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.GidEntry;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WorkCompletion;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Measures what {@code ib_send_lat} of perftest measures, by the same steps. Two processes send one
 * message to and fro over a reliable connection, inline, and poll for it; the time is that from one
 * send to the next. The client prints the round trip, which is twice what {@code ib_send_lat}
 * prints. The message's number travels in it and is checked.
 */
public final class Latency implements AutoCloseable {
    private static final String USAGE = "usage: Latency DEVICE PORT BYTES WARM_UP ROUND_TRIPS [SERVER]";
    private static final int RECEIVES = 64;
    /**
     * One send in so many asks for a completion, which is
     * then awaited, as {@code ib_send_lat} does.
     */
    private static final int SIGNAL_EVERY = 32;

    private final Context context;
    private final GidEntry gid;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePair pair;
    private final MemoryRegion source;
    private final MemoryRegion target;
    private final int bytes;
    private final SendChain sends;
    private final ReceiveChain receive = new ReceiveChain(1, 1);
    private final WorkCompletion sent = new WorkCompletion(1);
    private final WorkCompletion received = new WorkCompletion(1);

    private Latency(String device, int bytes) {
        this.bytes = bytes;
        context = Device.named(device).open();
        gid = context.chooseGid(1);
        ProtectionDomain domain = context.allocateProtectionDomain();
        sendQueue = context.createCompletionQueue(RECEIVES);
        receiveQueue = context.createCompletionQueue(RECEIVES);
        pair = domain.createQueuePair(QueuePair.options(QpType.RC, sendQueue, receiveQueue)
                .send(RECEIVES, 1)
                .receive(RECEIVES, 1)
                .inline(bytes));
        source = domain.allocate(bytes, Access.LOCAL_WRITE);
        target = domain.allocate((long) RECEIVES * bytes, Access.LOCAL_WRITE);
        sends = new SendChain(1, 1, bytes);
    }

    private void connect(String server, int port) throws IOException {
        QpAddress own = pair.addressFor(gid, new Random().nextInt(1 << 24));
        if (server == null) {
            PingpongExchange.server(port, List.of(own), 1, remote -> getReady(own, remote.getFirst()));
        } else {
            getReady(own, PingpongExchange.client(server, port, List.of(own), 1).getFirst());
        }
    }

    private void getReady(QpAddress own, QpAddress other) {
        pair.connect(gid, own.psn(), other, new ConnectOptions());
        for (int slot = 0; slot < RECEIVES; slot++) {
            postReceive(slot);
        }
    }

    private void postReceive(long slot) {
        receive.clear().receive(slot).sge(target, slot * bytes, bytes);
        if (pair.postReceive(receive) != 1) {
            throw new IllegalStateException("no room for a receive");
        }
    }

    /** Makes {@code count} round trips and writes the time of each send to {@code times}. */
    private void run(boolean client, int count, long[] times) {
        for (int i = 0; i < count; i++) {
            if (client) {
                times[i] = System.nanoTime();
                send(i);
            }
            awaitMessage(i);
            if (!client) {
                send(i);
            }
        }
        times[count] = System.nanoTime();
    }

    private void send(int number) {
        boolean signaled = number % SIGNAL_EVERY == 0;
        source.memory().set(ValueLayout.JAVA_INT, 0, number);
        sends.clear().send(number).inline(source.memory(), 0, bytes);
        if (signaled) {
            sends.signaled();
        }
        if (pair.postSend(sends) != 1) {
            throw new IllegalStateException("the send queue is full");
        }
        if (signaled) {
            await(sendQueue, sent);
        }
    }

    private void awaitMessage(int number) {
        await(receiveQueue, received);
        long slot = received.id();
        int got = target.memory().get(ValueLayout.JAVA_INT, slot * bytes);
        if (got != number || received.byteLength() != bytes) {
            throw new IllegalStateException(
                    "message " + got + " of " + received.byteLength() + " bytes came, not " + number);
        }
        postReceive(slot);
    }

    private static void await(CompletionQueue queue, WorkCompletion into) {
        while (queue.poll(into) == 0) {
            // As perftest: one poll after the other.
        }
        if (!into.at(0).isSuccess()) {
            throw new IllegalStateException(into.toString());
        }
    }

    private static void print(int bytes, int count, long[] times) {
        double[] us = new double[count];
        for (int i = 0; i < count; i++) {
            us[i] = (times[i + 1] - times[i]) / 1e3;
        }
        double mean = Arrays.stream(us).average().orElseThrow();
        Arrays.sort(us);
        System.out.printf(
                "%d bytes, %d round trips: min %.2f median %.2f mean %.2f p99 %.2f us%n",
                bytes, count, us[0], us[count / 2], mean, us[(int) (count * 0.99)]);
    }

    @Override
    public void close() {
        context.close();
    }

    /**
     * Runs one side.
     *
     * @param arguments device, TCP port, message size, round trips before
     *     and in the measurement; with the server's address the client
     * @throws IOException if the exchange fails
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 5) {
            System.err.println(USAGE);
            System.exit(2);
        }
        int bytes = Integer.parseInt(arguments[2]);
        int warmUp = Integer.parseInt(arguments[3]);
        int count = Integer.parseInt(arguments[4]);
        boolean client = arguments.length > 5;
        try (Latency latency = new Latency(arguments[0], bytes)) {
            latency.connect(client ? arguments[5] : null, Integer.parseInt(arguments[1]));
            latency.run(client, warmUp, new long[warmUp + 1]);
            long[] times = new long[count + 1];
            latency.run(client, count, times);
            if (client) {
                print(bytes, count, times);
            }
        }
    }
}
