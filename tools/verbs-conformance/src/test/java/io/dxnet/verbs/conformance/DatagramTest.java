package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.AddressHandle;
import io.dxnet.ibverbs.AddressVector;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpOptions;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WcStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unreliable datagrams: what arrives has 40 bytes of global route header before it; what does not
 * fit or is not wanted is dropped in silence.
 */
@Timeout(240)
class DatagramTest {
    private static final int QKEY = 0x1111_1111;
    private static final int GRH = 40;

    private Rig rig;
    private Rig remote;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private QueuePair one;
    private QueuePair other;
    private QueuePair witness;
    private AddressHandle handle;
    private MemoryRegion from;
    private MemoryRegion to;

    @BeforeEach
    void open() {
        rig = Rig.open();
        sendQueue = rig.queue(64);
        remote = rig.remote();
        receiveQueue = remote.queue(64);
        one = rig.pair(QueuePair.options(QpType.UD, sendQueue, rig.queue(16)).send(32, 2));
        QpOptions far =
                QueuePair.options(QpType.UD, remote.queue(16), receiveQueue).receive(32, 2);
        other = remote.pair(far);
        witness = remote.pair(far);
        one.activate(Rig.PORT, QKEY, 1);
        other.activate(Rig.PORT, QKEY, 2);
        witness.activate(Rig.PORT, QKEY, 3);
        handle = rig.domain.createAddressHandle(AddressVector.of(rig.gid, remote.gid.gid()));
        from = rig.memory(8192);
        to = remote.memory(8192);
        Rig.untouch(to);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private void receive(long id, long length) {
        assertThat(other.postReceive(new ReceiveChain(1, 1).receive(id).sge(to, 0, length)))
                .isEqualTo(1);
    }

    /** Waits for a datagram to a third one: then the device has processed earlier ones. */
    private void awaitArrived() {
        ReceiveChain receive = new ReceiveChain(1, 1).receive(50).sge(to, 4096, 128);
        assertThat(witness.postReceive(receive)).isEqualTo(1);
        one.postSend(new SendChain(1, 1)
                .datagram(51, handle, witness.number(), QKEY)
                .sge(from, 0, 64)
                .signaled());
        rig.awaitSuccess(sendQueue);
        assertThat(rig.awaitSuccess(receiveQueue).id()).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 1000, 1024})
    @DisplayName("47: a datagram arrives whole behind 40 bytes, with its sender")
    void shouldArrive(int size) {
        Rig.fill(from.memory(), 0, size, 47);
        receive(5, size + GRH);
        one.postSend(new SendChain(1, 1)
                .datagramImmediate(6, handle, other.number(), QKEY, 0xABCD_EF01)
                .sge(from, 0, size)
                .signaled());
        assertThat(rig.awaitSuccess(sendQueue).id()).isEqualTo(6);
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.id()).isEqualTo(5);
        assertThat(received.bytes()).isEqualTo(size + GRH);
        assertThat(received.immediate()).isEqualTo(0xABCD_EF01);
        assertThat(received.qp()).isEqualTo(other.number());
        Rig.check(to.memory(), GRH, size, 47);
        Rig.checkUntouched(to.memory(), GRH + size, 1024);
    }

    @Test
    @DisplayName(
            "47: datagrams without a receive, with a wrong key or a wrong number are dropped, the sender's completion succeeds")
    void shouldDropUnwanted() {
        SendChain chain = new SendChain(1, 1);
        one.postSend(
                chain.datagram(1, handle, other.number(), QKEY).sge(from, 0, 64).signaled());
        rig.awaitSuccess(sendQueue);
        awaitArrived();
        receive(2, 128);
        one.postSend(chain.clear()
                .datagram(3, handle, other.number(), QKEY ^ 1)
                .sge(from, 0, 64)
                .signaled());
        rig.awaitSuccess(sendQueue);
        one.postSend(chain.clear()
                .datagram(4, handle, 0xff_fff0, QKEY)
                .sge(from, 0, 64)
                .signaled());
        rig.awaitSuccess(sendQueue);
        Rig.fill(from.memory(), 128, 64, 8);
        one.postSend(chain.clear()
                .datagram(5, handle, other.number(), QKEY)
                .sge(from, 128, 64)
                .signaled());
        rig.awaitSuccess(sendQueue);
        assertThat(rig.awaitSuccess(receiveQueue).id()).isEqualTo(2);
        Rig.check(to.memory(), GRH, 64, 8);
        assertThat(receiveQueue.poll(new io.dxnet.ibverbs.WorkCompletion(1))).isZero();
    }

    @Test
    @DisplayName("47: a receive too short for header and payload fails or drops, and writes nothing behind its end")
    void shouldNotOverflowShortReceive() {
        receive(1, GRH + 16);
        one.postSend(new SendChain(1, 1)
                .datagram(2, handle, other.number(), QKEY)
                .sge(from, 0, 64)
                .signaled());
        rig.awaitSuccess(sendQueue);
        java.util.List<Rig.Done> received = new java.util.ArrayList<>();
        rig.take(receiveQueue, received);
        assertThat(received).allMatch(d -> d.status() != WcStatus.SUCCESS);
        Rig.checkUntouched(to.memory(), GRH + 16, 1024);
    }

    @Test
    @DisplayName("47: datagrams and connections are not mixed up, and closed handles are refused")
    void shouldRefuseWrongRequests() {
        assertThatThrownBy(() -> one.postSend(new SendChain(1, 1).send(1).sge(from, 0, 8)))
                .isInstanceOf(IllegalArgumentException.class);
        QueuePair connected = rig.pair(sendQueue, sendQueue);
        rig.connectRemote(connected, remote.pair(receiveQueue, receiveQueue));
        SendChain chain =
                new SendChain(1, 1).datagram(1, handle, other.number(), QKEY).sge(from, 0, 8);
        assertThatThrownBy(() -> connected.postSend(chain)).isInstanceOf(IllegalArgumentException.class);
        handle.close();
        assertThatThrownBy(() -> one.postSend(chain)).isInstanceOf(IllegalStateException.class);
    }
}
