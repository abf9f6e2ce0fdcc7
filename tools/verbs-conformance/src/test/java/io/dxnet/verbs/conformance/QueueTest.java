package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SendCredits;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.WcStatus;
import io.dxnet.ibverbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues full, empty, shared and in order. */
@Timeout(240)
class QueueTest {
    private static final int ENOMEM = 12;
    private static final int SIZE = 96;

    private Rig rig;
    private Rig remote;
    private CompletionQueue sendQueue;
    private CompletionQueue unusedQueue;
    private CompletionQueue receiveQueue;
    private CompletionQueue unusedRemoteQueue;
    private SharedReceiveQueue shared;
    private MemoryRegion from;
    private MemoryRegion to;

    @BeforeEach
    void open() {
        rig = Rig.open();
        sendQueue = rig.queue(1024);
        remote = rig.remote();
        unusedQueue = rig.queue(16);
        receiveQueue = remote.queue(1024);
        unusedRemoteQueue = remote.queue(16);
        shared = remote.domain.createSharedReceiveQueue(512, 1);
        from = rig.memory(1024 * SIZE);
        to = remote.memory(1024 * SIZE);
        Rig.untouch(to);
        for (int i = 0; i < 1024; i++) {
            Rig.fill(from.memory(), (long) i * SIZE, SIZE, i);
        }
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private QueuePair near(CompletionQueue sends, int depth) {
        return rig.pair(QueuePair.options(QpType.RC, sends, unusedQueue).send(depth, 1));
    }

    private QueuePair far(SharedReceiveQueue receives) {
        return remote.pair(
                QueuePair.options(QpType.RC, unusedRemoteQueue, receiveQueue).shared(receives));
    }

    private QueuePair connected(int depth) {
        QueuePair one = near(sendQueue, depth);
        rig.connectRemote(one, far(shared));
        return one;
    }

    /** Posts {@code count} receives with ids and places from {@code first}. */
    private void receive(int first, int count) {
        ReceiveChain chain = new ReceiveChain(count, 1);
        for (int i = first; i < first + count; i++) {
            chain.receive(i).sge(to, (long) i * SIZE, SIZE);
        }
        assertThat(shared.post(chain)).isEqualTo(count);
    }

    /** Appends sends of message {@code i}, whose immediate data is {@code i}. */
    private SendChain sends(int first, int count) {
        SendChain chain = new SendChain(count, 1);
        for (int i = first; i < first + count; i++) {
            chain.sendImmediate(i, i).sge(from, (long) i * SIZE, SIZE).signaled();
        }
        return chain;
    }

    private void checkReceived(List<Rig.Done> received, int first) {
        for (int i = 0; i < received.size(); i++) {
            Rig.Done done = received.get(i);
            assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.immediate()).isEqualTo(first + i);
            assertThat(done.bytes()).isEqualTo(SIZE);
            Rig.check(to.memory(), done.id() * SIZE, SIZE, first + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 64})
    @DisplayName("11: a chain of requests completes in order at both ends")
    void shouldKeepOrderOfChain(int count) {
        QueuePair one = connected(64);
        receive(0, count);
        assertThat(one.postSend(sends(0, count))).isEqualTo(count);
        List<Rig.Done> sent = rig.await(sendQueue, count);
        for (int i = 0; i < count; i++) {
            assertThat(sent.get(i).id()).isEqualTo(i);
            assertThat(sent.get(i).ok()).isTrue();
        }
        checkReceived(rig.await(receiveQueue, count), 0);
    }

    @Test
    @DisplayName("12: of a chain longer than the queue a prefix is accepted, and posting the rest later loses nothing")
    void shouldTakePrefixWhenSendQueueIsFull() {
        QueuePair one = connected(64);
        int count = 400;
        SendChain chain = sends(0, count);
        int accepted = one.postSend(chain);
        assertThat(accepted).isBetween(64, count - 1);
        assertThat(chain.errno()).isEqualTo(ENOMEM);
        List<Rig.Done> sent = new ArrayList<>();
        List<Rig.Done> received = new ArrayList<>();
        int nextReceive = 0;
        long deadline = Rig.deadline();
        while (received.size() < count) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            if (nextReceive < count && nextReceive - received.size() < 64) {
                int more = Math.min(32, count - nextReceive);
                receive(nextReceive, more);
                nextReceive += more;
            }
            rig.take(sendQueue, sent);
            rig.take(receiveQueue, received);
            accepted += one.postSend(chain, accepted);
        }
        sent.addAll(rig.await(sendQueue, count - sent.size()));
        for (int i = 0; i < count; i++) {
            assertThat(sent.get(i).id()).isEqualTo(i);
            assertThat(sent.get(i).ok()).isTrue();
        }
        checkReceived(received, 0);
    }

    @Test
    @DisplayName("13: with own credits a full queue is never hit")
    void shouldNeverSeeFullQueueWithCredits() {
        QueuePair one = connected(32);
        SendCredits credits = new SendCredits(32);
        int count = 600;
        SendChain chain = new SendChain(1, 1);
        List<Rig.Done> sent = new ArrayList<>();
        List<Rig.Done> received = new ArrayList<>();
        int next = 0;
        receive(0, 256);
        int nextReceive = 256;
        long deadline = Rig.deadline();
        while (received.size() < count) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            boolean signal = next % 5 == 0 || credits.mustSignal();
            if (next < count && credits.take(signal)) {
                chain.clear().sendImmediate(next, next).sge(from, (long) next * SIZE, SIZE);
                if (signal) {
                    chain.signaled();
                }
                assertThat(one.postSend(chain)).isEqualTo(1);
                next++;
            }
            int before = sent.size();
            rig.take(sendQueue, sent);
            for (int i = before; i < sent.size(); i++) {
                assertThat(sent.get(i).ok()).isTrue();
                credits.complete();
            }
            before = received.size();
            rig.take(receiveQueue, received);
            int freed = Math.min(received.size() - before, count - nextReceive);
            if (freed > 0) {
                receive(nextReceive, freed);
                nextReceive += freed;
            }
        }
        checkReceived(received, 0);
    }

    @Test
    @DisplayName("14: a receive too many is refused, not lost, and fits once another was used")
    void shouldRefuseReceivesBeyondSharedQueue() {
        SharedReceiveQueue small = remote.domain.createSharedReceiveQueue(16, 1);
        ReceiveChain chain = new ReceiveChain(1, 1);
        chain.receive(1).sge(to, 0, SIZE);
        int taken = 0;
        while (taken < 100_000 && small.post(chain) == 1) {
            taken++;
        }
        assertThat(taken).isBetween(16, 1024);
        assertThat(chain.errno()).isEqualTo(ENOMEM);
        QueuePair one = near(sendQueue, 16);
        rig.connectRemote(one, far(small));
        one.postSend(sends(0, 1));
        rig.awaitSuccess(sendQueue);
        rig.awaitSuccess(receiveQueue);
        assertThat(small.post(chain)).isEqualTo(1);
        assertThat(small.post(chain)).isEqualTo(0);
    }

    @Test
    @DisplayName("15: a sender that finds no receive waits, and all arrives in order once there are some")
    void shouldWaitForReceives() {
        QueuePair one = connected(64);
        assertThat(one.postSend(sends(0, 20))).isEqualTo(20);
        List<Rig.Done> received = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            rig.take(receiveQueue, received);
            assertThat(received).hasSize(i);
            receive(i, 1);
            received.addAll(rig.await(receiveQueue, 1));
        }
        checkReceived(received, 0);
        assertThat(rig.await(sendQueue, 20)).allMatch(Rig.Done::ok);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    @DisplayName("16: queue pairs that share receives keep the order of each, and use each receive once")
    void shouldShareReceives(int pairs) {
        int perPair = 512 / pairs / 2;
        List<QueuePair> senders = new ArrayList<>();
        Map<Integer, Integer> senderOf = new HashMap<>();
        for (int i = 0; i < pairs; i++) {
            QueuePair one = near(sendQueue, 64);
            QueuePair other = far(shared);
            rig.connectRemote(one, other);
            senders.add(one);
            senderOf.put(other.number(), i);
        }
        int total = pairs * perPair;
        receive(0, total);
        SendChain chain = new SendChain(2, 1);
        for (int message = 0; message < perPair; message += 2) {
            for (int i = 0; i < pairs; i++) {
                chain.clear();
                for (int m = message; m < Math.min(perPair, message + 2); m++) {
                    int number = i * perPair + m;
                    chain.sendImmediate(number, number)
                            .sge(from, (long) number * SIZE, SIZE)
                            .signaled();
                }
                assertThat(senders.get(i).postSend(chain)).isEqualTo(chain.size());
            }
        }
        List<Rig.Done> received = rig.await(receiveQueue, total);
        int[] next = new int[pairs];
        boolean[] used = new boolean[total];
        for (Rig.Done done : received) {
            int sender = senderOf.get(done.qp());
            int expected = sender * perPair + next[sender]++;
            assertThat(done.immediate()).isEqualTo(expected);
            assertThat(used[(int) done.id()]).isFalse();
            used[(int) done.id()] = true;
            Rig.check(to.memory(), done.id() * SIZE, SIZE, expected);
        }
        assertThat(rig.await(sendQueue, total)).allMatch(Rig.Done::ok);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    @DisplayName("17: one signaled request in k makes exactly one completion in k, the last of its group")
    void shouldCompleteOnlySignaled(int k) {
        QueuePair one = connected(64);
        int groups = 8;
        for (int group = 0; group < groups; group++) {
            receive(group * k, k);
            SendChain chain = new SendChain(k, 1);
            for (int i = 0; i < k; i++) {
                int number = group * k + i;
                chain.sendImmediate(number, number).sge(from, (long) number * SIZE, SIZE);
            }
            chain.signaled();
            one.postSend(chain);
            assertThat(rig.awaitSuccess(sendQueue).id()).isEqualTo(group * k + k - 1);
        }
        checkReceived(rig.await(receiveQueue, groups * k), 0);
        assertThat(sendQueue.poll(new WorkCompletion(4))).isZero();
    }

    @Test
    @DisplayName("17: a sender that never asks for completions does not fill its queue for ever")
    void shouldSignalByItself() {
        QueuePair one = connected(32);
        SendChain chain = new SendChain(1, 1);
        List<Rig.Done> received = new ArrayList<>();
        List<Rig.Done> sent = new ArrayList<>();
        int count = 500;
        int next = 0;
        receive(0, 256);
        int nextReceive = 256;
        long deadline = Rig.deadline();
        while (received.size() < count) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            if (next < count) {
                chain.clear().sendImmediate(next, next).sge(from, (long) next * SIZE, SIZE);
                next += one.postSend(chain);
            }
            rig.take(sendQueue, sent);
            int before = received.size();
            rig.take(receiveQueue, received);
            int freed = Math.min(received.size() - before, count - nextReceive);
            if (freed > 0) {
                receive(nextReceive, freed);
                nextReceive += freed;
            }
        }
        checkReceived(received, 0);
        assertThat(sent).allMatch(Rig.Done::ok);
        assertThat(sent.size()).isGreaterThanOrEqualTo(count / 32);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 64})
    @DisplayName("18: more completions than a batch come in several polls, each at most a batch")
    void shouldPollInBatches(int batch) {
        QueuePair one = connected(64);
        WorkCompletion completions = new WorkCompletion(batch);
        assertThat(receiveQueue.poll(completions)).isZero();
        assertThat(completions.count()).isZero();
        receive(0, 60);
        one.postSend(sends(0, 60));
        assertThat(rig.await(sendQueue, 60)).allMatch(Rig.Done::ok);
        int seen = 0;
        long deadline = Rig.deadline();
        while (seen < 60) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            int count = receiveQueue.poll(completions);
            assertThat(count).isBetween(0, batch);
            for (int i = 0; i < count; i++) {
                assertThat(completions.at(i).immediate()).isEqualTo(seen++);
            }
        }
    }

    @Test
    @DisplayName(
            "19, 20: a queue pair in error completes all that was posted, signaled or not, in order, and nothing overruns")
    void shouldFlushEverything() {
        QueuePair one = connected(64);
        SendChain chain = new SendChain(48, 1);
        for (int i = 0; i < 48; i++) {
            chain.send(i).sge(from, 0, SIZE);
            if (i % 12 == 11) {
                chain.signaled();
            }
        }
        assertThat(one.postSend(chain)).isEqualTo(48);
        one.modify(QpAttributes.to(QpState.ERR));
        List<Rig.Done> flushed = rig.await(sendQueue, 48);
        for (int i = 0; i < 48; i++) {
            assertThat(flushed.get(i).id()).isEqualTo(i);
            assertThat(flushed.get(i).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        SendChain late = new SendChain(1, 1);
        late.send(99).sge(from, 0, SIZE);
        assertThat(one.postSend(late)).isEqualTo(1);
        Rig.Done done = rig.awaitOne(sendQueue);
        assertThat(done.id()).isEqualTo(99);
        assertThat(done.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @DisplayName("20: the receives of a queue pair's own queue are flushed in order")
    void shouldFlushOwnReceives() {
        QueuePair other = remote.pair(unusedRemoteQueue, receiveQueue);
        rig.connectRemote(near(sendQueue, 64), other);
        ReceiveChain chain = new ReceiveChain(20, 1);
        for (int i = 0; i < 20; i++) {
            chain.receive(i).sge(to, (long) i * SIZE, SIZE);
        }
        assertThat(other.postReceive(chain)).isEqualTo(20);
        other.modify(QpAttributes.to(QpState.ERR));
        List<Rig.Done> flushed = rig.await(receiveQueue, 20);
        for (int i = 0; i < 20; i++) {
            assertThat(flushed.get(i).id()).isEqualTo(i);
            assertThat(flushed.get(i).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    @DisplayName("48: a completion queue grows while completions wait in it")
    void shouldResizeCompletionQueue() {
        CompletionQueue own = rig.queue(16);
        QueuePair one = near(own, 64);
        rig.connectRemote(one, far(shared));
        receive(0, 60);
        one.postSend(sends(0, 10));
        rig.await(receiveQueue, 10);
        try {
            own.resize(256);
        } catch (io.dxnet.ibverbs.VerbsException e) {
            Rig.only(false, "completion queues cannot be resized: " + e.getMessage());
        }
        assertThat(own.capacity()).isGreaterThanOrEqualTo(256);
        one.postSend(sends(10, 50));
        List<Rig.Done> sent = rig.await(own, 60);
        for (int i = 0; i < 60; i++) {
            assertThat(sent.get(i).id()).isEqualTo(i);
            assertThat(sent.get(i).ok()).isTrue();
        }
    }

    @Test
    @DisplayName("48: a shared receive queue grows while receives wait in it")
    void shouldResizeSharedReceiveQueue() {
        receive(0, 4);
        try {
            shared.resize(1023);
        } catch (io.dxnet.ibverbs.VerbsException e) {
            Rig.only(false, "shared receive queues cannot be resized: " + e.getMessage());
        }
        assertThat(shared.attributes().maxRequests()).isGreaterThanOrEqualTo(1023);
        receive(4, 4);
        QueuePair one = connected(64);
        one.postSend(sends(0, 8));
        checkReceived(rig.await(receiveQueue, 8), 0);
    }
}
