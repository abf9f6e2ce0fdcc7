package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices at addresses of which one or both send and receive several packets as one. */
class WireBatchTest {
    private static final int SOL_SOCKET = 1;
    private static final int SO_NO_CHECK = 11;
    private static final int SO_PROTOCOL = 38;
    private static final int CHAIN = 14;

    private static final String NETWORK =
            "soft@127." + (100 + ProcessHandle.current().pid() / 250 % 150) + "."
                    + (1 + ProcessHandle.current().pid() % 250) + ".";

    /** Seven times a quarter of a second: machines that build are busy. */
    private static final Node.Tuning PATIENT = new Node.Tuning(16, 6, 7, 12);

    /** One timeout of 4 s, and no second attempt. */
    private static final Node.Tuning NOTHING_IS_LOST = new Node.Tuning(20, 0, 7, 12);

    private Node a;
    private Node b;
    private long sendCq;
    private long recvCq;
    private long qpA;
    private long qpB;

    private static Node open(int last, boolean batches) {
        System.setProperty(UdpSocket.BATCHES, Boolean.toString(batches));
        try {
            return new Node(NETWORK + last);
        } finally {
            System.clearProperty(UdpSocket.BATCHES);
        }
    }

    private void connect(boolean ofA, boolean ofB, Node.Tuning tuning) {
        a = open(2, ofA);
        b = open(3, ofB);
        sendCq = a.cq(64);
        recvCq = b.cq(64);
        qpA = a.rc(sendCq, a.cq(64), 0);
        qpB = b.rc(b.cq(64), recvCq, 0);
        Node.connect(a, qpA, b, qpB, tuning);
    }

    @AfterEach
    void close() {
        b.close();
        a.close();
    }

    /** Sends chains of messages, each with bytes of its own; all arrive, in order. */
    private void exchange(int rounds, int bytes) {
        long from = a.memory((long) CHAIN * bytes);
        long to = b.memory((long) CHAIN * bytes);
        int fromKey = Node.key(a.register(from, (long) CHAIN * bytes, Node.ALL_ACCESS));
        int toKey = Node.key(b.register(to, (long) CHAIN * bytes, Node.ALL_ACCESS));
        for (int round = 0; round < rounds; round++) {
            long[] sends = new long[CHAIN];
            for (int i = 0; i < CHAIN; i++) {
                long at = (long) i * bytes;
                for (int k = 0; k < bytes; k++) {
                    Memory.putByte(from + at + k, round + i + k);
                }
                Node.postRecv(qpB, b.recv(i, to + at, bytes, toKey), 0);
                int flags = i == CHAIN - 1 ? Ibv.IBV_SEND_SIGNALED : 0;
                sends[i] = a.send(i, Ibv.IBV_WR_SEND, flags, from + at, bytes, fromKey);
            }
            assertThat(Node.postSend(qpA, Node.chain(sends), 0)).isZero();
            List<Wc> received = b.await(recvCq, CHAIN);
            assertThat(received).allMatch(wc -> wc.status() == 0);
            assertThat(Wc.ids(received)).isSorted();
            assertThat(a.awaitOne(sendCq).status()).isZero();
            assertThat(Memory.getBytes(to, CHAIN * bytes)).isEqualTo(Memory.getBytes(from, CHAIN * bytes));
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldDeliverAllWhicheverEndHasBatches(boolean ofA, boolean ofB) {
        connect(ofA, ofB, PATIENT);
        exchange(20, 1);
        exchange(20, 64);
        exchange(20, 1000);
        exchange(5, 5000);
    }

    /** The descriptors of this process that are sockets of UDP. */
    private static List<Integer> sockets() throws Exception {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(file -> Integer.parseInt(file.getFileName().toString()))
                    .filter(fd -> UdpCalls.option(fd, SOL_SOCKET, SO_PROTOCOL) == UdpSocket.SOL_UDP)
                    .toList();
        }
    }

    /** The kernel refuses batches of a socket without check sums of UDP: nothing is lost. */
    @Test
    void shouldSendOneByOneWhenTheKernelRefusesBatches() throws Exception {
        connect(true, true, NOTHING_IS_LOST);
        assertThat(sockets()).hasSize(2).allMatch(fd -> UdpCalls.setOption(fd, SOL_SOCKET, SO_NO_CHECK, 1) == 0);
        exchange(3, 64);
        exchange(3, 5000);
    }
}
