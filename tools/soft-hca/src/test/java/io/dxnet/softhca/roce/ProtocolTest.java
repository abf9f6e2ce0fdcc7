package io.dxnet.softhca.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state machines on a simulated network, and their answers one by one. */
class ProtocolTest {
    private static final int SCHEDULES = 2000;
    private static final int WINDOW_BYTES = 128 << 10;

    @Test
    void shouldExecuteOnceAndInOrderWhenPacketsAreLostDelayedAndDuplicated() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            new ProtocolSimulation(seed).run();
        }
    }

    /** A responder, and the packets that it sent, in words. */
    private static final class Bench {
        final SimulatedEnd end = new SimulatedEnd(4096);
        final List<String> sent = new ArrayList<>();
        final ResponderMachine responder = new ResponderMachine(
                end, packet -> sent.add(PacketText.of(packet)), new ResponderSettings(5, 256, 100, 2));
        final Packet packet = new Packet();

        void send(int opcode, int psn, int payload) {
            accept(opcode, psn, payload);
            responder.answer(100);
        }

        /** Receives a packet, and does not answer yet. */
        void accept(int opcode, int psn, int payload) {
            packet.begin(opcode, false, 9, true, psn);
            packet.setPayload(payload);
            receive();
        }

        /** Receives a message that requests no acknowledgement. */
        void acceptUnasked(int psn, int payload) {
            packet.begin(Opcode.SEND_ONLY, false, 9, false, psn);
            packet.setPayload(payload);
            receive();
        }

        void write(long address, int key, int length) {
            packet.begin(Opcode.WRITE_ONLY, false, 9, true, 100);
            RethDescriptor.write(packet.bytes(), address, key, length);
            packet.setPayload(8);
            deliver();
        }

        void read(int psn, long address, int length) {
            packet.begin(Opcode.READ_REQUEST, false, 9, true, psn);
            RethDescriptor.write(packet.bytes(), address, SimulatedEnd.KEY, length);
            deliver();
        }

        void deliver() {
            receive();
            responder.answer(100);
        }

        private void receive() {
            assertThat(packet.parse(packet.length() + Packet.CHECK_BYTES)).isTrue();
            responder.receive(packet);
        }
    }

    @Test
    void shouldReportAMissingPacketOnceWhenLaterOnesArrive() {
        Bench bench = new Bench();
        bench.end.receives = 3;
        bench.send(Opcode.SEND_ONLY, 101, 8);
        bench.send(Opcode.SEND_ONLY, 102, 8);
        assertThat(bench.sent).hasSize(1);
        assertThat(bench.sent.getFirst()).contains("NAK missing").contains("psn 100");
        assertThat(bench.end.received).isEmpty();
    }

    @Test
    void shouldAnswerNotReadyWhenNoReceiveIsPosted() {
        Bench bench = new Bench();
        bench.send(Opcode.SEND_ONLY, 100, 8);
        assertThat(bench.sent.getFirst()).contains("RNR");
        bench.end.receives = 1;
        bench.send(Opcode.SEND_ONLY, 100, 8);
        assertThat(bench.sent.getLast()).contains("ACK").contains("psn 100");
        assertThat(bench.end.received).hasSize(1);
    }

    @Test
    void shouldRefuseAWriteWhenItsKeyIsWrong() {
        Bench bench = new Bench();
        bench.write(0, SimulatedEnd.KEY + 1, 8);
        assertThat(bench.sent.getFirst()).contains("NAK access");
    }

    @Test
    void shouldAcknowledgeADuplicateWithoutExecutingIt() {
        Bench bench = new Bench();
        bench.end.receives = 2;
        bench.send(Opcode.SEND_ONLY, 100, 8);
        bench.send(Opcode.SEND_ONLY, 100, 8);
        assertThat(bench.sent).hasSize(2).allMatch(text -> text.contains("ACK"));
        assertThat(bench.end.received).hasSize(1);
    }

    @Test
    void shouldAcknowledgeWhatWasReceivedWhenItIsStoppedBeforeItAnswers() {
        Bench bench = new Bench();
        bench.end.receives = 1;
        bench.accept(Opcode.SEND_ONLY, 100, 8);
        assertThat(bench.end.received).hasSize(1);
        assertThat(bench.sent).isEmpty();
        bench.responder.stop();
        assertThat(bench.sent).hasSize(1);
        assertThat(bench.sent.getFirst()).startsWith("ACK").contains("psn 100");
        bench.send(Opcode.SEND_ONLY, 100, 8);
        assertThat(bench.sent).as("after the end").hasSize(1);
    }

    @Test
    void shouldAcknowledgeOnceWhatDidNotRequestItWhenItIsStopped() {
        Bench bench = new Bench();
        bench.end.receives = 2;
        bench.acceptUnasked(100, 8);
        bench.acceptUnasked(101, 8);
        bench.responder.answer(100);
        assertThat(bench.sent).as("nothing was requested").isEmpty();
        bench.responder.acknowledgeAll();
        bench.responder.stop();
        assertThat(bench.sent).hasSize(1);
        assertThat(bench.sent.getFirst()).startsWith("ACK").contains("psn 101");
    }

    @Test
    void shouldRefuseWhatIsWrongWhenItIsStoppedBeforeItAnswers() {
        Bench bench = new Bench();
        bench.accept(Opcode.SEND_ONLY, 100, 8);
        bench.responder.stop();
        assertThat(bench.sent).hasSize(1);
        assertThat(bench.sent.getFirst()).startsWith("RNR NAK").contains("psn 100");
    }

    @Test
    void shouldAnswerAReadAgainWhenItsPartIsRepeated() {
        Bench bench = new Bench();
        bench.read(100, 0, 700);
        assertThat(bench.sent).hasSize(3);
        bench.read(101, 256, 444);
        assertThat(bench.sent).hasSize(5);
        assertThat(bench.sent.get(3)).contains("READ response first").contains("psn 101");
        bench.read(101, 0, 444);
        assertThat(bench.sent).as("not a part of what was read").hasSize(5);
    }

    @Test
    void shouldReportFailureWhenTheResponderIsGone() {
        SimulatedEnd end = new SimulatedEnd(64);
        end.add(new java.util.Random(1), 256, 64);
        RequesterMachine requester = new RequesterMachine(
                end, packet -> {}, new RequesterSettings(5, 256, 0, 1, WINDOW_BYTES, 1000, 2, 7), 0);
        requester.advance(0);
        int timeouts = 0;
        while (requester.dueNs() != RequesterMachine.NEVER) {
            requester.onTime(requester.dueNs());
            timeouts++;
        }
        assertThat(timeouts).isEqualTo(3);
        assertThat(end.completed).containsExactly(RequestStatus.RETRIES_EXCEEDED);
    }

    @ParameterizedTest
    @CsvSource({"131072, 256, 64", "131072, 4096, 32", "1048576, 256, 512", "1048576, 4096, 256", "1, 256, 4"})
    void shouldKeepNoMorePacketsInFlightThanTheReceiversSocketHolds(int windowBytes, int mtu, int packets) {
        int requests = 600;
        SimulatedEnd end = new SimulatedEnd(64);
        for (int i = 0; i < requests; i++) {
            end.addSend(8);
        }
        List<Integer> sent = new ArrayList<>();
        RequesterMachine requester = new RequesterMachine(
                end, packet -> sent.add(packet.psn()), new RequesterSettings(5, mtu, 0, 1, windowBytes, 1000, 2, 7), 0);
        requester.advance(0);
        assertThat(sent).hasSize(packets);
        Packet answer = new Packet();
        while (end.completed.size() < requests) {
            answer.begin(Opcode.ACKNOWLEDGE, false, 9, false, sent.getLast());
            AethDescriptor.write(answer.bytes(), AethDescriptor.ACKNOWLEDGED, 0);
            requester.receive(answer, 0);
            assertThat(sent.size() - end.completed.size()).isLessThanOrEqualTo(packets);
        }
        assertThat(sent).as("each once, in order").hasSize(requests).isSorted();
        assertThat(end.completed).containsOnly(RequestStatus.SUCCESS);
    }
}
