package io.dxnet.softhca.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which packets of a requester request an acknowledgement. */
class AcknowledgementRequestTest {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MTU = 256;

    /** Sends, posted step by step; the last one may be of another kind, or cannot be sent. */
    private static final class Source implements RequestSource {
        int posted;
        int length = 64;
        RequestKind lastKind = RequestKind.SEND;
        int completed;
        boolean lastIsBroken;
        final List<RequestStatus> failures = new ArrayList<>();

        @Override
        public long startable() {
            return posted;
        }

        @Override
        public RequestStatus load(long sequence, Request into) {
            boolean isLast = sequence == posted - 1;
            into.kind = isLast ? lastKind : RequestKind.SEND;
            into.length = length;
            return isLast && lastIsBroken ? RequestStatus.LOCAL_PROTECTION : RequestStatus.SUCCESS;
        }

        @Override
        public RequestStatus execute(long sequence) {
            return RequestStatus.SUCCESS;
        }

        @Override
        public boolean gather(long sequence, long offset, Packet packet, int bytes) {
            return true;
        }

        @Override
        public boolean scatter(long sequence, long offset, Packet packet) {
            return true;
        }

        @Override
        public boolean scatterValue(long sequence, long value) {
            return true;
        }

        @Override
        public void complete(long sequence, RequestStatus status) {
            completed++;
            if (status != RequestStatus.SUCCESS) {
                failures.add(status);
            }
        }
    }

    private final Source source = new Source();
    private final List<Integer> asking = new ArrayList<>();
    private int sent;
    private final RequesterMachine machine = machine(WINDOW_BYTES);

    private RequesterMachine machine(int windowBytes) {
        return new RequesterMachine(
                source, this::record, new RequesterSettings(9, MTU, 0, 4, windowBytes, 1_000_000, 7, 7), 0);
    }

    private void record(Packet packet) {
        assertThat(packet.psn()).isEqualTo(sent);
        if (packet.wantsAcknowledgement()) {
            asking.add(sent);
        }
        sent++;
    }

    private void post(int count) {
        source.posted += count;
        machine.advance(0);
    }

    @Test
    void shouldRequestOneWithTheLastPacketOfAChain() {
        post(5);
        assertThat(asking).containsExactly(4);
        post(1);
        assertThat(asking).containsExactly(4, 5);
        assertThat(sent).isEqualTo(6);
    }

    @Test
    void shouldRequestOneWithEveryThirtySecondPacketOfALongChain() {
        post(100);
        assertThat(asking).containsExactly(31, 63, 95, 99);
    }

    @Test
    void shouldRequestOneWithinALongMessage() {
        source.length = 40 * MTU;
        post(1);
        assertThat(asking).containsExactly(31, 39);
    }

    @Test
    void shouldRequestOneWithThePacketThatClosesTheWindow() {
        RequesterMachine narrow = machine(43 * 2048); // 43 packets, and each tenth requests one
        source.posted = 100;
        narrow.advance(0);
        assertThat(sent).isEqualTo(43);
        assertThat(asking).containsExactly(9, 19, 29, 39, 42);
        narrow.acknowledge(42, 0);
        assertThat(sent).isEqualTo(86);
        assertThat(asking).containsExactly(9, 19, 29, 39, 42, 52, 62, 72, 82, 85);
    }

    @Test
    void shouldRequestOneBeforeARequestThatWaitsForAllEarlierOnes() {
        source.lastKind = RequestKind.LOCAL;
        post(3);
        assertThat(asking).containsExactly(1);
        machine.acknowledge(1, 0);
        assertThat(source.completed).isEqualTo(3);
    }

    @Test
    void shouldRequestOneBeforeARequestThatCannotBeSent() {
        source.lastIsBroken = true;
        post(3);
        assertThat(asking).containsExactly(1);
        machine.acknowledge(1, 0);
        assertThat(source.failures).containsExactly(RequestStatus.LOCAL_PROTECTION);
        assertThat(source.completed).isEqualTo(3);
    }

    @Test
    void shouldRequestOneAgainAfterALoss() {
        post(3);
        sent = 0;
        machine.onTime(1_000_000);
        assertThat(sent).isEqualTo(3);
        assertThat(asking).containsExactly(2, 2);
    }

    /** Its memory is gone when it is to be sent again, but it has arrived. */
    @Test
    void shouldGoOnAfterARequestThatCannotBeSentAgainAndIsAcknowledged() {
        post(2);
        source.lastIsBroken = true;
        sent = 0;
        machine.onTime(1_000_000);
        assertThat(sent).isEqualTo(1);
        machine.acknowledge(1, 1_000_000);
        assertThat(source.completed).isEqualTo(2);
        source.lastIsBroken = false;
        sent = 2;
        post(1);
        assertThat(sent).isEqualTo(3);
        assertThat(source.failures).isEmpty();
    }

    /** The refused packet came again before the refusal was sent. */
    @ParameterizedTest
    @ValueSource(ints = {AethDescriptor.MISSING, 0x20})
    void shouldReadARefusalOfWhatIsNotSentAsAnAcknowledgementOfAllBefore(int syndrome) {
        post(2);
        Packet refusal = new Packet();
        refusal.begin(Opcode.ACKNOWLEDGE, false, 9, false, 2);
        AethDescriptor.write(refusal.bytes(), syndrome, 2);
        machine.receive(refusal, 0);
        assertThat(source.completed).isEqualTo(2);
        post(1);
        assertThat(sent).isEqualTo(3);
    }

    @Test
    void shouldIgnoreAnAcknowledgementOfWhatWasNotSent() {
        post(2);
        machine.acknowledge(2, 0);
        machine.acknowledge(Psn.MASK, 0);
        assertThat(source.completed).isZero();
    }
}
