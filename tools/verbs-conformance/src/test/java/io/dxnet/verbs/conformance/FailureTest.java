package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.AsyncEventType;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WcStatus;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Failures of requests, connections and peers. Devices differ in the status that they report (rxe
 * from HCAs, kernels from each other), so a test accepts a set. It always requires that the failure
 * is reported, that the queue pair is in error, and that others still work.
 */
@Timeout(240)
class FailureTest {
    private Rig rig;
    private Rig remote;
    private CompletionQueue sendQueue;
    private CompletionQueue unusedQueue;
    private CompletionQueue receiveQueue;
    private CompletionQueue unusedRemoteQueue;
    private SharedReceiveQueue shared;
    private QueuePair one;
    private QueuePair other;
    private QueuePair bystander;
    private QueuePair bystanderPeer;
    private MemoryRegion memory;
    private MemoryRegion target;

    @BeforeEach
    void open() {
        rig = Rig.open();
        sendQueue = rig.queue(512);
        remote = rig.remote();
        unusedQueue = rig.queue(16);
        receiveQueue = remote.queue(512);
        unusedRemoteQueue = remote.queue(16);
        shared = remote.domain.createSharedReceiveQueue(128, 1);
        memory = rig.memory(1 << 16);
        target = remote.memory(1 << 16);
        one = near();
        other = far();
        bystander = near();
        bystanderPeer = far();
        rig.connectRemote(one, other);
        rig.connectRemote(bystander, bystanderPeer);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private QueuePair near() {
        return rig.pair(QueuePair.options(QpType.RC, sendQueue, unusedQueue).send(64, 1));
    }

    private QueuePair far() {
        return remote.pair(
                QueuePair.options(QpType.RC, unusedRemoteQueue, receiveQueue).shared(shared));
    }

    private void receive(long id, MemoryRegion region, long offset, long length) {
        ReceiveChain chain = new ReceiveChain(1, 1);
        chain.receive(id).sge(region, offset, length);
        assertThat(shared.post(chain)).isEqualTo(1);
    }

    private static SendChain send(long id, MemoryRegion region, long offset, long length) {
        return new SendChain(1, 1).send(id).sge(region, offset, length).signaled();
    }

    private void bystanderLives() {
        Rig.fill(memory.memory(), 0, 64, 99);
        receive(500, target, 4096, 64);
        assertThat(bystander.postSend(send(501, memory, 0, 64))).isEqualTo(1);
        assertThat(rig.awaitSuccess(sendQueue).id()).isEqualTo(501);
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.qp()).isEqualTo(bystanderPeer.number());
        Rig.check(target.memory(), 4096, 64, 99);
    }

    /** Waits until the device has processed what was sent so far, without a receive. */
    private void awaitArrived() {
        SendChain write = new SendChain(1, 1)
                .write(502, target.address() + 8192, target.remoteKey())
                .sge(memory, 0, 8)
                .signaled();
        assertThat(bystander.postSend(write)).isEqualTo(1);
        assertThat(rig.awaitSuccess(sendQueue).id()).isEqualTo(502);
    }

    private void failed(QueuePair pair) {
        assertThat(pair.query().state()).isEqualTo(QpState.ERR);
    }

    @Test
    @DisplayName("24: a message longer than the receive fails at both ends, and other connections live on")
    void shouldFailOversizeMessage() {
        Rig.untouch(target);
        receive(1, target, 8192, 32);
        one.postSend(send(2, memory, 0, 64));
        Rig.Done sent = rig.awaitOne(sendQueue);
        Rig.Done received = rig.awaitOne(receiveQueue);
        assertThat(List.of(received.status(), sent.status()))
                .isIn(
                        List.of(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR),
                        List.of(WcStatus.LOC_QP_OP_ERR, WcStatus.REM_OP_ERR));
        assertThat(received.qp()).isEqualTo(other.number());
        failed(one);
        failed(other);
        Rig.checkUntouched(target.memory(), 8192 + 32, 4096);
        bystanderLives();
    }

    @Test
    @DisplayName(
            "25: a send from a region that was closed after posting was prepared fails, and other connections live on")
    void shouldFailSendOfClosedRegion() {
        MemoryRegion gone = rig.memory(4096);
        SendChain chain = send(1, gone, 0, 64);
        gone.close();
        receive(2, target, 0, 64);
        assertFailsLocally(chain);
        bystanderAfterLeftOverReceive();
    }

    @Test
    @DisplayName("25: a send with a key of another protection domain fails")
    void shouldFailSendOfForeignRegion() {
        ProtectionDomain foreign = rig.context.allocateProtectionDomain();
        MemoryRegion region = foreign.allocate(4096, Access.LOCAL_WRITE);
        assertFailsLocally(send(1, region, 0, 64));
        bystanderLives();
    }

    private void assertFailsLocally(SendChain chain) {
        WcStatus status;
        try {
            one.postSend(chain);
            status = rig.awaitOne(sendQueue).status();
        } catch (VerbsException refusedAtOnce) {
            status = WcStatus.LOC_PROT_ERR;
        }
        assertThat(status).isIn(WcStatus.LOC_QP_OP_ERR, WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);
    }

    /** The receive of the failed message is still there; the bystander gets it. */
    private void bystanderAfterLeftOverReceive() {
        Rig.fill(memory.memory(), 1024, 64, 98);
        bystander.postSend(send(7, memory, 1024, 64));
        rig.awaitSuccess(sendQueue);
        assertThat(rig.awaitSuccess(receiveQueue).id()).isEqualTo(2);
        Rig.check(target.memory(), 0, 64, 98);
    }

    @Test
    @DisplayName("25: a receive into a closed region fails at both ends")
    void shouldFailReceiveIntoClosedRegion() {
        MemoryRegion gone = remote.memory(4096);
        receive(1, gone, 0, 64);
        gone.close();
        one.postSend(send(2, memory, 0, 64));
        Rig.Done sent = rig.awaitOne(sendQueue);
        Rig.Done received = rig.awaitOne(receiveQueue);
        assertThat(received.status()).isIn(WcStatus.LOC_QP_OP_ERR, WcStatus.LOC_PROT_ERR);
        assertThat(sent.status()).isEqualTo(WcStatus.REM_OP_ERR);
        failed(one);
        bystanderLives();
    }

    @Test
    @DisplayName("25: a receive into memory without local write access fails at both ends")
    void shouldFailReceiveIntoReadOnlyRegion() {
        try (Arena arena = Arena.ofConfined()) {
            MemoryRegion readOnly = remote.domain.register(arena.allocate(4096, 4096));
            receive(1, readOnly, 0, 64);
            one.postSend(send(2, memory, 0, 64));
            Rig.Done sent = rig.awaitOne(sendQueue);
            Rig.Done received = rig.awaitOne(receiveQueue);
            assertThat(received.status()).isIn(WcStatus.LOC_QP_OP_ERR, WcStatus.LOC_PROT_ERR, WcStatus.LOC_ACCESS_ERR);
            assertThat(sent.status()).isEqualTo(WcStatus.REM_OP_ERR);
            readOnly.close();
        }
        bystanderLives();
    }

    @Test
    @DisplayName("38: with a finite RNR retry a missing receive ends the send, and the receiver's queue pair lives")
    void shouldEndRnrRetries() {
        QueuePair sender = near();
        QueuePair receiver = far();
        rig.connectRemote(sender, receiver, Rig.quick().rnrRetry(2));
        sender.postSend(send(3, memory, 0, 64));
        assertThat(rig.awaitOne(sendQueue).status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        failed(sender);
        assertThat(receiver.query().state()).isEqualTo(QpState.RTS);
        bystanderLives();
    }

    @Test
    @DisplayName(
            "21: a send to a queue pair that is gone fails after its retries, and what was posted behind it is flushed")
    void shouldReportDeadPeer() {
        QueuePair sender = near();
        QueuePair receiver = far();
        rig.connectRemote(sender, receiver, new ConnectOptions().timeout(12).retryCount(3));
        receiver.close();
        SendChain chain = new SendChain(4, 1);
        for (int i = 0; i < 4; i++) {
            chain.send(i).sge(memory, 0, 64).signaled();
        }
        sender.postSend(chain);
        List<Rig.Done> done = rig.await(sendQueue, 4);
        assertThat(done.getFirst().status()).isIn(WcStatus.RETRY_EXC_ERR, WcStatus.REM_OP_ERR, WcStatus.WR_FLUSH_ERR);
        for (int i = 0; i < 4; i++) {
            assertThat(done.get(i).id()).isEqualTo(i);
            if (i > 0) {
                assertThat(done.get(i).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
            }
        }
        failed(sender);
        bystanderLives();
    }

    @Test
    @DisplayName(
            "40, 41: after a failure new queue pairs on the same queues work, and late completions carry the old number")
    void shouldReconnect() {
        int oldNumber = one.number();
        SendChain pending = new SendChain(8, 1);
        for (int i = 0; i < 8; i++) {
            pending.send(i).sge(memory, 0, 64).signaled();
        }
        one.postSend(pending);
        awaitArrived();
        one.modify(io.dxnet.ibverbs.QpAttributes.to(QpState.ERR));
        for (int round = 0; round < 5; round++) {
            QueuePair again = near();
            QueuePair againPeer = far();
            rig.connectRemote(again, againPeer);
            receive(40 + round, target, 4096, 64);
            again.postSend(send(100 + round, memory, 0, 64));
            assertThat(rig.awaitSuccess(receiveQueue).qp()).isEqualTo(againPeer.number());
            int stale = 0;
            boolean seen = false;
            long deadline = Rig.deadline();
            while (!seen) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                for (Rig.Done done : rig.await(sendQueue, 1)) {
                    if (done.qp() == oldNumber) {
                        stale++;
                        assertThat(done.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
                    } else {
                        assertThat(done.id()).isEqualTo(100 + round);
                        seen = true;
                    }
                }
            }
            assertThat(stale).isEqualTo(round == 0 ? 8 : 0);
            again.close();
            againPeer.close();
        }
        one.close();
        bystanderLives();
    }

    @Test
    @DisplayName("42: an overrun completion queue is reported and does not crash")
    void shouldReportOverrun() {
        CompletionQueue tiny = rig.queue(1);
        int capacity = tiny.capacity();
        QueuePair flood =
                rig.pair(QueuePair.options(QpType.RC, tiny, unusedQueue).send(64, 1));
        rig.connectRemote(flood, far());
        Rig.only(capacity < 60, "the smallest completion queue holds " + capacity);
        SendChain chain = new SendChain(1, 1);
        for (int i = 0; i < capacity + 4; i++) {
            receive(i, target, 4096, 64);
            chain.clear().send(i).sge(memory, 0, 64).signaled();
            flood.postSend(chain);
        }
        Set<AsyncEventType> seen = java.util.EnumSet.noneOf(AsyncEventType.class);
        long deadline = Rig.deadline();
        while (!seen.contains(AsyncEventType.CQ_ERR)) {
            assertThat(System.nanoTime())
                    .describedAs("no CQ_ERR, only %s", seen)
                    .isLessThan(deadline);
            rig.context.asyncEvents().await(1000).ifPresent(event -> {
                seen.add(event.type());
                if (event.type() == AsyncEventType.CQ_ERR) {
                    assertThat(event.resource()).isSameAs(tiny);
                }
            });
        }
    }
}
