package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.raw.ibv_recv_wr;
import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChainTest {
    @Test
    @DisplayName("requests are linked in order and the last ends the chain, also after refilling with fewer")
    void shouldLink() {
        SendChain chain = new SendChain(4, 1, 16);
        chain.send(1).send(2).send(3);
        assertThat(Memory.getLong(chain.request(0) + ibv_send_wr.next$offset())).isEqualTo(chain.request(1));
        assertThat(Memory.getLong(chain.request(1) + ibv_send_wr.next$offset())).isEqualTo(chain.request(2));
        assertThat(Memory.getLong(chain.request(2) + ibv_send_wr.next$offset())).isZero();
        chain.clear().send(9);
        assertThat(Memory.getLong(chain.request(0) + ibv_send_wr.next$offset())).isZero();
        assertThat(Memory.getLong(chain.request(0) + ibv_send_wr.wr_id$offset()))
                .isEqualTo(9);
        ReceiveChain receives = new ReceiveChain(2, 1);
        receives.receive(1).receive(2);
        assertThat(Memory.getLong(receives.request(0) + ibv_recv_wr.next$offset()))
                .isEqualTo(receives.request(1));
    }

    @Test
    @DisplayName("fields that are written together lie side by side, and requests of both kinds begin alike")
    void shouldWriteNeighboursTogether() {
        assertThat(ibv_recv_wr.next$offset()).isEqualTo(ibv_send_wr.next$offset());
        assertThat(ibv_recv_wr.sg_list$offset()).isEqualTo(ibv_send_wr.sg_list$offset());
        assertThat(ibv_recv_wr.num_sge$offset()).isEqualTo(ibv_send_wr.num_sge$offset());
        assertThat(ibv_send_wr.opcode$offset()).isEqualTo(ibv_send_wr.num_sge$offset() + Integer.BYTES);
        assertThat(ibv_send_wr.imm_data$offset()).isEqualTo(ibv_send_wr.send_flags$offset() + Integer.BYTES);
        assertThat(ibv_sge.lkey$offset()).isEqualTo(ibv_sge.length$offset() + Integer.BYTES);
        long address = Arena.ofAuto().allocate(Long.BYTES).address();
        Memory.putInts(address, -1, 7);
        assertThat(Memory.getInt(address)).isEqualTo(-1);
        assertThat(Memory.getInt(address + Integer.BYTES)).isEqualTo(7);
    }

    @Test
    @DisplayName("flags and immediate data of an earlier filling are gone after clear")
    void shouldForgetFlags() {
        SendChain chain = new SendChain(1, 1);
        chain.sendImmediate(1, 0x01020304).signaled().solicited().fence();
        assertThat(Memory.getInt(chain.request(0) + ibv_send_wr.imm_data$offset()))
                .isEqualTo(0x04030201);
        assertThat(Memory.getInt(chain.request(0) + ibv_send_wr.send_flags$offset()))
                .isNotZero();
        assertThat(chain.lastSignaled()).isZero();
        chain.clear().send(1);
        assertThat(Memory.getInt(chain.request(0) + ibv_send_wr.send_flags$offset()))
                .isZero();
        assertThat(chain.lastSignaled()).isEqualTo(-1);
    }

    @Test
    @DisplayName(
            "only a chain that ends with a signaled request, and has nothing but elements, reports no more than their number")
    void shouldSayWhatAQueueMustKnow() {
        SendChain chain = new SendChain(3, 2, 16);
        int elements = 1_000;
        assertThat(chain.demand()).as("empty").isGreaterThan(elements);
        chain.send(1);
        assertThat(chain.demand()).as("not signaled").isGreaterThan(elements);
        assertThat(chain.demandOfRequests()).isZero();
        chain.signaled();
        assertThat(chain.demand()).as("signaled").isZero();
        chain.send(2);
        assertThat(chain.demand()).as("the last is not signaled").isGreaterThan(elements);
        chain.signaled().inline(MemorySegment.ofArray(new byte[4]), 0, 4);
        assertThat(chain.demand()).as("inline data").isGreaterThan(elements);
        assertThat(chain.demandOfRequests()).isGreaterThan(elements);
        assertThat(chain.longestSgeList()).isOne();
        assertThat(chain.clear().demandOfRequests()).as("cleared").isZero();
    }

    @Test
    @DisplayName("inline data is one element that grows, of the chain's own memory")
    void shouldCopyInlineData() {
        SendChain chain = new SendChain(2, 1, 16);
        byte[] data = {1, 2, 3, 4, 5, 6, 7, 8};
        chain.send(1).inline(MemorySegment.ofArray(data), 0, 8).inline(MemorySegment.ofArray(data), 2, 4);
        long sges = Memory.getLong(chain.request(0) + ibv_send_wr.sg_list$offset());
        assertThat(Memory.getInt(chain.request(0) + ibv_send_wr.num_sge$offset()))
                .isEqualTo(1);
        assertThat(Memory.getInt(sges + 8)).isEqualTo(12);
        long copy = Memory.getLong(sges);
        assertThat(Memory.getByte(copy + 7)).isEqualTo((byte) 8);
        assertThat(Memory.getByte(copy + 8)).isEqualTo((byte) 3);
        assertThatThrownBy(() -> chain.inline(MemorySegment.ofArray(data), 0, 8))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> chain.inline(MemorySegment.NULL, 0, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("a full chain, an element without request and a chain used by two threads are refused")
    void shouldRefuseMisuse() {
        SendChain chain = new SendChain(1, 1);
        assertThatThrownBy(chain::signaled).isInstanceOf(IllegalStateException.class);
        chain.send(1);
        assertThatThrownBy(() -> chain.send(2)).isInstanceOf(IllegalStateException.class);
        chain.enter(42);
        assertThatThrownBy(() -> chain.enter(43)).isInstanceOf(ConcurrentModificationException.class);
        chain.exit();
        assertThatThrownBy(() -> new SendChain(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkCompletion(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkCompletion(1).at(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName(
            "the number of requests accepted follows from the first refused one; where there is none, all were accepted")
    void shouldCountAccepted() {
        SendChain chain = new SendChain(5, 1);
        for (int i = 0; i < 5; i++) {
            chain.send(i);
        }
        assertThat(chain.accepted(0, 0)).isEqualTo(5);
        assertThat(chain.accepted(2, 0)).isEqualTo(3);
        Memory.putLong(chain.badRequest(), chain.request(3));
        assertThat(chain.accepted(0, 12)).isEqualTo(3);
        assertThat(chain.accepted(1, 12)).isEqualTo(2);
        assertThat(chain.errno()).isEqualTo(12);
        Memory.putLong(chain.badRequest(), 0);
        assertThat(chain.accepted(0, 22)).isZero();
        Memory.putLong(chain.badRequest(), chain.request(0));
        assertThat(chain.accepted(1, 12)).isZero();
    }
}
