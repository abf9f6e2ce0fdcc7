package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.AtomicCapability;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.PostException;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WcOpcode;
import io.dxnet.ibverbs.WcStatus;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RDMA writes, reads and atomics over a reliable connection, every byte checked. */
@Timeout(240)
class OneSidedTest {
    private Rig rig;
    private Rig remote;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private QueuePair one;
    private QueuePair other;

    @BeforeEach
    void connect() {
        rig = Rig.open();
        sendQueue = rig.queue(256);
        remote = rig.remote();
        receiveQueue = remote.queue(256);
        one = near();
        other = far();
        rig.connectRemote(one, other);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private QueuePair near() {
        return rig.pair(sendQueue, rig.queue(64));
    }

    private QueuePair far() {
        return remote.pair(remote.queue(64), receiveQueue);
    }

    private void receive(ReceiveChain chain) {
        assertThat(other.postReceive(chain)).isEqualTo(chain.size());
    }

    private void send(SendChain chain) {
        assertThat(one.postSend(chain)).isEqualTo(chain.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 5000, 70000})
    @DisplayName("46: an RDMA write changes exactly the remote bytes and uses up no receive")
    void shouldWrite(int size) {
        MemoryRegion from = rig.memory(Math.max(1, size));
        MemoryRegion to = remote.memory(size + 64);
        Rig.untouch(to);
        Rig.fill(from.memory(), 0, size, 46);
        send(new SendChain(1, 1)
                .write(1, to.address() + 32, to.remoteKey())
                .sge(from, 0, size)
                .signaled());
        assertThat(rig.awaitSuccess(sendQueue).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        Rig.check(to.memory(), 32, size, 46);
        Rig.checkUntouched(to.memory(), 0, 32);
        Rig.checkUntouched(to.memory(), 32 + size, 32);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 9000})
    @DisplayName("46: an RDMA write with immediate data writes and completes a receive")
    void shouldWriteWithImmediate(int size) {
        MemoryRegion from = rig.memory(Math.max(1, size));
        MemoryRegion to = remote.memory(size + 64);
        Rig.untouch(to);
        Rig.fill(from.memory(), 0, size, 47);
        receive(new ReceiveChain(1, 1).receive(3));
        send(new SendChain(1, 1)
                .writeImmediate(1, to.address(), to.remoteKey(), 0x8000_0001)
                .sge(from, 0, size)
                .signaled());
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(received.immediate()).isEqualTo(0x8000_0001);
        assertThat(received.id()).isEqualTo(3);
        assertThat(received.bytes()).isEqualTo(size);
        rig.awaitSuccess(sendQueue);
        Rig.check(to.memory(), 0, size, 47);
        Rig.checkUntouched(to.memory(), size, 64);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 5000, 70000})
    @DisplayName("46: an RDMA read brings exactly the remote bytes")
    void shouldRead(int size) {
        MemoryRegion to = rig.memory(size + 64);
        MemoryRegion from = remote.memory(Math.max(1, size));
        Rig.untouch(to);
        Rig.fill(from.memory(), 0, size, 48);
        send(new SendChain(1, 1)
                .read(1, from.address(), from.remoteKey())
                .sge(to, 16, size)
                .signaled());
        assertThat(rig.awaitSuccess(sendQueue).opcode()).isEqualTo(WcOpcode.RDMA_READ);
        Rig.check(to.memory(), 16, size, 48);
        Rig.checkUntouched(to.memory(), 0, 16);
        Rig.checkUntouched(to.memory(), 16 + size, 48);
    }

    @Test
    @DisplayName("46: atomics change the remote number and bring the old one")
    void shouldRunAtomics() {
        Rig.only(rig.context.attributes().atomics() != AtomicCapability.NONE, "no atomics");
        MemoryRegion target = remote.memory(64);
        MemoryRegion result = rig.memory(64);
        target.memory().set(ValueLayout.JAVA_LONG, 8, 100);
        send(new SendChain(1, 1)
                .fetchAdd(1, target.address() + 8, target.remoteKey(), -30)
                .sge(result, 0, 8)
                .signaled());
        assertThat(rig.awaitSuccess(sendQueue).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(result.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(100);
        assertThat(target.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(70);
        SendChain swaps = new SendChain(2, 1);
        swaps.compareSwap(2, target.address() + 8, target.remoteKey(), 70, Long.MIN_VALUE)
                .sge(result, 8, 8)
                .signaled();
        swaps.compareSwap(3, target.address() + 8, target.remoteKey(), 70, 5)
                .sge(result, 16, 8)
                .signaled();
        send(swaps);
        assertThat(rig.await(sendQueue, 2)).allSatisfy(d -> {
            assertThat(d.ok()).isTrue();
            assertThat(d.opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        });
        assertThat(result.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(70);
        assertThat(result.memory().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(Long.MIN_VALUE);
        assertThat(target.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    @DisplayName("46: a fenced send after a read carries what was read")
    void shouldFence() {
        MemoryRegion memory = rig.memory(4096);
        MemoryRegion target = remote.memory(2 * 4096);
        Rig.fill(target.memory(), 0, 4096, 9);
        receive(new ReceiveChain(1, 1).receive(1).sge(target, 4096, 4096));
        SendChain chain = new SendChain(2, 1);
        chain.read(1, target.address(), target.remoteKey()).sge(memory, 0, 4096);
        chain.send(2).sge(memory, 0, 4096).fence().signaled();
        send(chain);
        assertThat(rig.awaitSuccess(sendQueue).id()).isEqualTo(2);
        rig.awaitSuccess(receiveQueue);
        Rig.check(target.memory(), 4096, 4096, 9);
    }

    @Test
    @DisplayName("46: a write with a wrong remote key fails with REM_ACCESS_ERR and changes nothing")
    void shouldRefuseWrongRemoteKey() {
        MemoryRegion from = rig.memory(64);
        MemoryRegion to = remote.memory(64);
        Rig.untouch(to);
        send(new SendChain(1, 1)
                .write(1, to.address(), to.remoteKey() ^ 0x5500)
                .sge(from, 0, 64)
                .signaled());
        assertThat(rig.awaitOne(sendQueue).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(to.memory(), 0, 64);
    }

    @Test
    @DisplayName("46: a write beyond the end of the remote region fails with REM_ACCESS_ERR and changes nothing")
    void shouldRefuseWriteBeyondTheEnd() {
        MemoryRegion from = rig.memory(128);
        MemoryRegion to = remote.memory(64);
        Rig.untouch(to);
        send(new SendChain(1, 1)
                .write(1, to.address() + 1, to.remoteKey())
                .sge(from, 0, 64)
                .signaled());
        assertThat(rig.awaitOne(sendQueue).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(to.memory(), 0, 64);
    }

    @Test
    @DisplayName("46: a region for local use only refuses remote writes")
    void shouldRefuseWriteToLocalRegion() {
        MemoryRegion from = rig.memory(64);
        MemoryRegion to = remote.domain.allocate(64, Access.LOCAL_WRITE);
        Rig.untouch(to);
        send(new SendChain(1, 1)
                .write(1, to.address(), to.remoteKey())
                .sge(from, 0, 64)
                .signaled());
        assertThat(rig.awaitOne(sendQueue).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        Rig.checkUntouched(to.memory(), 0, 64);
    }

    @Test
    @DisplayName("46: memory with relaxed ordering, which is ignored where it is not known, is written as any other")
    void shouldWriteWithRelaxedOrdering() {
        Access[] relaxed = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.RELAXED_ORDERING};
        MemoryRegion from = rig.domain.allocate(9000, relaxed);
        MemoryRegion to = remote.domain.allocate(9000, relaxed);
        Rig.fill(from.memory(), 0, 9000, 11);
        send(new SendChain(1, 1)
                .write(1, to.address(), to.remoteKey())
                .sge(from, 0, 9000)
                .signaled());
        rig.awaitSuccess(sendQueue);
        Rig.check(to.memory(), 0, 9000, 11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"an address that is no multiple of 8", "a wrong key", "a region without that right"})
    @DisplayName("46: an atomic that may not be is refused or fails, and changes nothing:")
    void shouldRefuseAtomic(String reason) {
        Rig.only(rig.context.attributes().atomics() != AtomicCapability.NONE, "no atomics");
        boolean allowed = !reason.startsWith("a region");
        MemoryRegion target = allowed
                ? remote.memory(64)
                : remote.domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        MemoryRegion result = rig.memory(64);
        Rig.untouch(target);
        Rig.untouch(result);
        long address = target.address() + (reason.startsWith("an address") ? 4 : 8);
        int key = target.remoteKey() ^ (reason.startsWith("a wrong") ? 0x5500 : 0);
        SendChain chain = new SendChain(1, 1)
                .fetchAdd(1, address, key, 1)
                .sge(result, 0, 8)
                .signaled();
        if (address % 8 != 0 && Rig.isRxe()) {
            // rxe's library checks the address before it posts the request.
            assertThatThrownBy(() -> one.postSend(chain)).isInstanceOf(PostException.class);
        } else {
            send(chain);
            assertThat(rig.awaitOne(sendQueue).status())
                    .isIn(WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_OP_ERR);
        }
        Rig.checkUntouched(target.memory(), 0, 64);
        Rig.checkUntouched(result.memory(), 0, 64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "read", "atomic"})
    @DisplayName("46: a queue pair that allows its peer nothing refuses")
    void shouldRefuseWhatTheQueuePairForbids(String operation) {
        QueuePair asking = near();
        rig.connectRemote(asking, far(), Rig.quick().access());
        MemoryRegion local = rig.memory(64);
        MemoryRegion target = remote.memory(64);
        Rig.untouch(local);
        Rig.untouch(target);
        SendChain chain = new SendChain(1, 1);
        switch (operation) {
            case "write" -> chain.write(1, target.address(), target.remoteKey());
            case "read" -> chain.read(1, target.address(), target.remoteKey());
            default -> chain.fetchAdd(1, target.address(), target.remoteKey(), 1);
        }
        assertThat(asking.postSend(chain.sge(local, 0, 8).signaled())).isEqualTo(1);
        assertThat(rig.awaitOne(sendQueue).status())
                .isIn(WcStatus.REM_ACCESS_ERR, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_OP_ERR);
        Rig.checkUntouched(local.memory(), 0, 64);
        Rig.checkUntouched(target.memory(), 0, 64);
    }
}
