package io.dxnet.verbs.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends over a reliable connection, every byte checked. */
@Timeout(240)
class MessageTest {
    private static final int INLINE = 220;

    private Rig rig;
    private Rig remote;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private SharedReceiveQueue shared;
    private QueuePair one;
    private QueuePair other;
    private int maxSendSge;
    private int maxReceiveSge;

    @BeforeEach
    void connect() {
        rig = Rig.open();
        sendQueue = rig.queue(256);
        remote = rig.remote();
        receiveQueue = remote.queue(256);
        maxSendSge = Math.min(32, rig.context.attributes().maxSge());
        maxReceiveSge = Math.min(27, remote.context.attributes().maxSharedReceiveSge());
        shared = remote.domain.createSharedReceiveQueue(128, maxReceiveSge);
        one = rig.pair(QueuePair.options(QpType.RC, sendQueue, rig.queue(16))
                .send(64, maxSendSge)
                .inline(INLINE));
        other = remote.pair(
                QueuePair.options(QpType.RC, remote.queue(16), receiveQueue).shared(shared));
        rig.connectRemote(one, other);
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
    }

    private void receive(long id, MemoryRegion region, long offset, long length) {
        ReceiveChain chain = new ReceiveChain(1, 1);
        chain.receive(id).sge(region, offset, length);
        assertThat(shared.post(chain)).isEqualTo(1);
    }

    private void receiveNothing(long id) {
        ReceiveChain chain = new ReceiveChain(1, 1);
        chain.receive(id);
        assertThat(shared.post(chain)).isEqualTo(1);
    }

    private void send(SendChain chain) {
        assertThat(one.postSend(chain)).isEqualTo(chain.size());
    }

    @Test
    @DisplayName("7: 64 bytes arrive whole, with length, id, queue pair and untouched tail")
    void shouldSend64Bytes() {
        MemoryRegion from = rig.memory(64);
        MemoryRegion to = remote.memory(128);
        Rig.untouch(to);
        Rig.fill(from.memory(), 0, 64, 7);
        receive(0x1234_5678_9abc_def0L, to, 0, 128);
        send(new SendChain(1, 1).send(-2).sge(from, 0, 64).signaled());
        Rig.Done sent = rig.awaitSuccess(sendQueue);
        assertThat(sent.id()).isEqualTo(-2);
        assertThat(sent.qp()).isEqualTo(one.number());
        assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.id()).isEqualTo(0x1234_5678_9abc_def0L);
        assertThat(received.qp()).isEqualTo(other.number());
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.bytes()).isEqualTo(64);
        assertThat(received.hasImmediate()).isFalse();
        Rig.check(to.memory(), 0, 64, 7);
        Rig.checkUntouched(to.memory(), 64, 64);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x80000000, 0xffffffff, 0x01020304})
    @DisplayName("8: immediate data arrives as the sender's number, without payload")
    void shouldCarryImmediateData(int immediate) {
        receiveNothing(9);
        send(new SendChain(1, 1).sendImmediate(8, immediate).signaled());
        rig.awaitSuccess(sendQueue);
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(immediate);
        assertThat(received.bytes()).isZero();
    }

    @Test
    @DisplayName("8: immediate data and payload arrive together")
    void shouldCarryImmediateDataWithPayload() {
        MemoryRegion memory = rig.memory(4096);
        MemoryRegion to = remote.memory(4096);
        Rig.fill(memory.memory(), 0, 777, 3);
        receive(1, to, 0, 1000);
        send(new SendChain(1, 1)
                .sendImmediate(8, 0xCAFE_F00D)
                .sge(memory, 0, 777)
                .signaled());
        Rig.Done received = rig.awaitSuccess(receiveQueue);
        assertThat(received.immediate()).isEqualTo(0xCAFE_F00D);
        assertThat(received.bytes()).isEqualTo(777);
        Rig.check(to.memory(), 0, 777, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 32})
    @DisplayName("9: gathered and scattered elements of unequal and zero length keep every byte")
    void shouldGatherAndScatter(int wanted) {
        int gather = Math.min(wanted, maxSendSge);
        MemoryRegion from = rig.memory(64 << 10);
        MemoryRegion to = remote.memory(64 << 10);
        Rig.untouch(to);
        SendChain send = new SendChain(1, gather);
        send.send(1).signaled();
        int total = 0;
        for (int i = 0; i < gather; i++) {
            int length = i == 1 ? 0 : 1 + 37 * i % 301;
            long offset = 64L * 16 * i + i % 7;
            for (int b = 0; b < length; b++) {
                from.memory().set(ValueLayout.JAVA_BYTE, offset + b, Rig.pattern(5, total + b));
            }
            send.sge(from, offset, length);
            total += length;
        }
        int scatter = Math.min(gather, maxReceiveSge);
        long[] offsets = new long[scatter];
        long[] lengths = new long[scatter];
        ReceiveChain receive = new ReceiveChain(1, scatter);
        receive.receive(1);
        long left = total + 50;
        for (int i = 0; i < scatter; i++) {
            offsets[i] = 2048L * i + 3;
            lengths[i] = i == scatter - 1 ? left : Math.min(left, i == 2 ? 0 : 11 + 53L * i % 97);
            left -= lengths[i];
            receive.sge(to, offsets[i], lengths[i]);
        }
        shared.post(receive);
        send(send);
        assertThat(rig.awaitSuccess(receiveQueue).bytes()).isEqualTo(total);
        rig.awaitSuccess(sendQueue);
        long position = 0;
        long end = 0;
        for (int i = 0; i < scatter; i++) {
            Rig.checkUntouched(to.memory(), end, offsets[i] - end);
            long here = Math.min(lengths[i], total - position);
            Rig.check(to.memory(), offsets[i], here, 5, position);
            position += here;
            end = offsets[i] + here;
        }
        assertThat(position).isEqualTo(total);
        Rig.checkUntouched(to.memory(), end, to.byteSize() - end);
    }

    @Test
    @DisplayName("9: elements of different regions make one message")
    void shouldGatherFromDifferentRegions() {
        Rig.only(maxSendSge >= 2, "one element per request");
        MemoryRegion first = rig.memory(100);
        MemoryRegion second = rig.memory(200);
        MemoryRegion to = remote.memory(300);
        Rig.fill(first.memory(), 0, 100, 1);
        Rig.fill(second.memory(), 0, 200, 2);
        receive(0, to, 0, 300);
        send(new SendChain(1, 2).send(0).sge(first, 0, 100).sge(second, 0, 200).signaled());
        assertThat(rig.awaitSuccess(receiveQueue).bytes()).isEqualTo(300);
        Rig.check(to.memory(), 0, 100, 1);
        Rig.check(to.memory(), 100, 200, 2);
    }

    @Test
    @DisplayName("9: more elements than the queue pair accepts are refused before they are posted")
    void shouldRefuseTooManyElements() {
        MemoryRegion region = rig.memory(64);
        int tooMany = one.capabilities().maxSendSge() + 1;
        SendChain sends = new SendChain(1, tooMany).send(1);
        ReceiveChain receives = new ReceiveChain(1, tooMany).receive(1);
        for (int i = 0; i < tooMany; i++) {
            sends.sge(region, 0, 1);
            receives.sge(region, 0, 1);
        }
        assertThatThrownBy(() -> one.postSend(sends)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shared.post(receives)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 1023, 1024, 1025, 4095, 4096, 4097, 8192, 65535, 65536, 65537, 1 << 20})
    @DisplayName("10: messages of all sizes around packet limits arrive whole")
    void shouldSendSizes(int size) {
        MemoryRegion from = rig.memory(Math.max(1, size));
        MemoryRegion to = remote.memory(size + 16);
        Rig.untouch(to);
        Rig.fill(from.memory(), 0, size, size);
        receive(1, to, 0, size + 16);
        send(new SendChain(1, 1).send(1).sge(from, 0, size).signaled());
        rig.awaitSuccess(sendQueue);
        assertThat(rig.awaitSuccess(receiveQueue).bytes()).isEqualTo(size);
        Rig.check(to.memory(), 0, size, size);
        Rig.checkUntouched(to.memory(), size, 16);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, INLINE})
    @DisplayName("44: inline data may be overwritten at once")
    void shouldSendInline(int size) {
        byte[] data = new byte[size];
        for (int i = 0; i < size; i++) {
            data[i] = Rig.pattern(44, i);
        }
        MemoryRegion to = remote.memory(512);
        Rig.untouch(to);
        receive(1, to, 0, 512);
        SendChain chain = new SendChain(1, 1, INLINE);
        chain.send(1).inline(MemorySegment.ofArray(data), 0, size).signaled();
        java.util.Arrays.fill(data, (byte) 0);
        send(chain);
        chain.clear().send(2).inline(MemorySegment.ofArray(new byte[INLINE]), 0, INLINE);
        rig.awaitSuccess(sendQueue);
        assertThat(rig.awaitSuccess(receiveQueue).bytes()).isEqualTo(size);
        Rig.check(to.memory(), 0, size, 44);
        Rig.checkUntouched(to.memory(), size, 512 - size);
    }

    @Test
    @DisplayName("44: more inline data than the queue pair accepts is refused")
    void shouldRefuseTooMuchInline() {
        byte[] data = new byte[INLINE + 1];
        SendChain small = new SendChain(1, 1, INLINE);
        assertThatThrownBy(() -> small.send(1).inline(MemorySegment.ofArray(data), 0, INLINE + 1))
                .isInstanceOf(IllegalArgumentException.class);
        int given = one.capabilities().maxInline();
        SendChain large = new SendChain(1, 1, given + 1);
        large.send(1).inline(MemorySegment.ofArray(new byte[given + 1]), 0, given + 1);
        assertThatThrownBy(() -> one.postSend(large)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("5: ranges outside a region, closed regions and closed arenas are refused before they are posted")
    void shouldRefuseBadRanges() {
        MemoryRegion region = rig.memory(64);
        SendChain chain = new SendChain(4, 1);
        chain.send(1);
        assertThatThrownBy(() -> chain.sge(region, 60, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> chain.sge(region, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        region.close();
        assertThatThrownBy(() -> chain.sge(region, 0, 1)).isInstanceOf(IllegalStateException.class);
        java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofShared();
        MemoryRegion foreign = rig.domain.register(arena.allocate(64), io.dxnet.ibverbs.Access.LOCAL_WRITE);
        arena.close();
        assertThatThrownBy(() -> chain.sge(foreign, 0, 1)).isInstanceOf(IllegalStateException.class);
        foreign.close();
    }

    @Test
    @DisplayName("44: more inline data than the device has is refused when the queue pair is made")
    void shouldRefuseInlineBeyondTheDevice() {
        assertThatThrownBy(() -> rig.pair(
                        QueuePair.options(QpType.RC, sendQueue, sendQueue).inline(1 << 24)))
                .isInstanceOf(VerbsException.class);
    }
}
