package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConcurrencyTest {
    private static final int DEPTH = 16;

    private static void runAll(List<Callable<Void>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<Void>> futures = new ArrayList<>();
            tasks.forEach(task -> futures.add(threads.submit(task)));
            for (Future<Void> future : futures) {
                future.get(100, TimeUnit.SECONDS);
            }
        }
    }

    /**
     * Two sender threads, eight queue pairs, one shared receive queue with one poller that posts
     * again: every message once, in order per queue pair.
     */
    @Test
    void shouldKeepEveryQueuePairsOrderUnderLoad() throws Exception {
        int pairs = 8;
        int perPair = 5_000;
        try (Node a = new Node("soft0");
                Node b = new Node("soft1")) {
            long sendCq = a.cq(pairs * DEPTH);
            long recvCq = b.cq(64);
            long srq = b.srq(64, 1);
            long[] senders = new long[pairs];
            int[] numbers = new int[pairs];
            for (int i = 0; i < pairs; i++) {
                senders[i] = a.rc(sendCq, a.cq(1), 0);
                long receiver = b.rc(b.cq(1), recvCq, srq);
                numbers[i] = Node.number(receiver);
                Node.connect(a, senders[i], b, receiver);
            }
            long buffer = b.memory(64 * 8);
            int key = Node.key(b.register(buffer, 64 * 8, Node.ALL_ACCESS));
            long[] receives = new long[64];
            for (int i = 0; i < 64; i++) {
                receives[i] = b.recv(i, buffer + i * 8L, 8, key);
                assertThat(Node.postSrqRecv(srq, receives[i], 0)).isZero();
            }
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                int first = thread;
                tasks.add(() -> send(a, senders, first, perPair));
            }
            tasks.add(() -> {
                long[] next = new long[pairs];
                for (int done = 0; done < pairs * perPair; ) {
                    for (Wc wc : b.poll(recvCq, 16)) {
                        assertThat(wc.status()).isZero();
                        int pair = 0;
                        while (numbers[pair] != wc.qpNum()) {
                            pair++;
                        }
                        assertThat(Memory.getLong(buffer + wc.wrId() * 8)).isEqualTo(next[pair]++);
                        assertThat(Node.postSrqRecv(srq, receives[(int) wc.wrId()], 0))
                                .isZero();
                        done++;
                    }
                }
                return null;
            });
            tasks.add(() -> {
                long wcs = a.memory(48 * 16);
                long poll = Memory.getLong(a.context + 96);
                for (int done = 0; done < pairs * perPair; ) {
                    int count = C.status(poll, sendCq, 16, wcs);
                    for (int i = 0; i < count; i++) {
                        assertThat(Memory.getInt(wcs + i * 48L + 8)).isZero();
                    }
                    done += count;
                }
                return null;
            });
            runAll(tasks);
        }
    }

    /**
     * Sends on every second queue pair, the number of the
     * message inline; a full queue is tried again.
     */
    private static Void send(Node node, long[] senders, int first, int perPair) {
        long data = LibC.calloc(16 + 128);
        long wr = data + 16;
        Memory.putLong(wr + 16, data);
        Memory.putInt(wr + 24, 1);
        Memory.putInt(wr + 28, Ibv.IBV_WR_SEND);
        Memory.putInt(wr + 32, Ibv.IBV_SEND_SIGNALED | Ibv.IBV_SEND_INLINE);
        long value = LibC.calloc(8);
        Memory.putLong(data, value);
        Memory.putInt(data + 8, 8);
        for (long n = 0; n < perPair; n++) {
            Memory.putLong(value, n);
            for (int i = first; i < senders.length; i += 2) {
                int error = Ibv.ENOMEM;
                while (error == Ibv.ENOMEM) {
                    error = Node.postSend(senders[i], wr, 0);
                }
                assertThat(error).isZero();
            }
        }
        LibC.free(data);
        LibC.free(value);
        return null;
    }

    /** Both ends send to each other at the same time, and fail at the same time. */
    @Test
    void shouldNotLockUpWhenBothEndsSendAndFail() throws Exception {
        for (int round = 0; round < 30; round++) {
            try (Pair pair = new Pair(false, new Node.Tuning(8, 1, 7, 1))) {
                List<Callable<Void>> tasks = List.of(
                        () -> pingPong(pair.a, pair.qpA, pair.sendCqA, pair.recvCqA, pair.bufferA, pair.keyA),
                        () -> pingPong(pair.b, pair.qpB, pair.sendCqB, pair.recvCqB, pair.bufferB, pair.keyB));
                runAll(tasks);
            }
        }
    }

    private static Void pingPong(Node node, long qp, long sendCq, long recvCq, long buffer, int key) {
        for (int i = 0; i < DEPTH; i++) {
            assertThat(Node.postRecv(qp, node.recv(i, buffer, 8, key), 0)).isZero();
        }
        for (int i = 0; i < DEPTH; i++) {
            // The last one has a key that fails, which moves both queue pairs to the error state.
            assertThat(Node.postSend(
                            qp,
                            node.rdma(
                                    i,
                                    Ibv.IBV_WR_RDMA_WRITE,
                                    buffer,
                                    i == DEPTH - 1 ? 1 : 0,
                                    buffer,
                                    i == DEPTH - 1 ? 8 : 0,
                                    key),
                            0))
                    .isZero();
        }
        assertThat(node.await(sendCq, DEPTH)).hasSize(DEPTH);
        assertThat(node.await(recvCq, DEPTH)).allMatch(wc -> wc.status() == Ibv.IBV_WC_WR_FLUSH_ERR);
        return null;
    }

    /**
     * Threads make, connect, use and destroy queue pairs,
     * deregister memory in use, and cut each other off, at random.
     */
    @Test
    void shouldSurviveAnything() throws Exception {
        SoftHca.Census before = SoftHca.census();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        List<Callable<Void>> tasks = new ArrayList<>();
        try (Node node = new Node("soft0")) {
            long[] shared = new long[8];
            long cq = node.cq(1 << 16);
            long srq = node.srq(64, 1);
            long buffer = node.memory(4096);
            for (int thread = 0; thread < 3; thread++) {
                int seed = thread;
                tasks.add(() -> rampage(node, shared, cq, srq, buffer, new Random(seed), end));
            }
            runAll(tasks);
        }
        assertThat(SoftHca.census()).isEqualTo(before);
    }

    private static Void rampage(Node node, long[] shared, long cq, long srq, long buffer, Random random, long end) {
        long scratch = LibC.calloc(1024);
        long mr = node.register(buffer, 4096, Node.ALL_ACCESS);
        while (System.nanoTime() < end) {
            int slot = random.nextInt(shared.length);
            long qp = shared[slot];
            long wr = scratch;
            Memory.clear(wr, 128);
            Memory.putLong(wr + 16, scratch + 128);
            Memory.putInt(wr + 24, 1);
            Memory.putLong(scratch + 128, buffer + random.nextInt(64));
            Memory.putInt(scratch + 136, random.nextInt(4200));
            Memory.putInt(scratch + 140, Node.key(mr));
            switch (random.nextInt(10)) {
                case 0 -> shared[slot] = node.rc(cq, cq, random.nextBoolean() ? srq : 0);
                case 1 -> C.status("ibv_destroy_qp", qp);
                case 2, 3 -> {
                    long peer = shared[random.nextInt(shared.length)];
                    if (qp != 0 && peer != 0) {
                        node.toState(qp, Ibv.IBV_QPS_RESET);
                        node.toInit(qp);
                        node.toRtr(qp, node, Node.number(peer), Node.Tuning.DEFAULT);
                        node.toRts(qp, new Node.Tuning(1, 1, random.nextInt(8), 1));
                    }
                }
                case 4 -> {
                    C.status("ibv_dereg_mr", mr);
                    mr = node.register(buffer, 4096, Node.ALL_ACCESS);
                }
                case 5 -> node.toState(qp, Ibv.IBV_QPS_ERR);
                case 6 -> DataVerbs.post_srq_recv(srq, wr, 0);
                case 7 -> DataVerbs.poll_cq(cq, 8, scratch + 256);
                default -> {
                    Memory.putInt(wr + 28, random.nextInt(5));
                    Memory.putInt(wr + 32, random.nextInt(16));
                    Memory.putLong(wr + 40, buffer);
                    Memory.putInt(wr + 48, Node.key(mr));
                    DataVerbs.post_send(qp, wr, 0);
                    DataVerbs.post_recv(qp, wr, 0);
                }
            }
        }
        C.status("ibv_dereg_mr", mr);
        return null;
    }
}
