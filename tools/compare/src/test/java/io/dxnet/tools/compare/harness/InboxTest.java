package io.dxnet.tools.compare.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InboxTest {
    private static final int SIZE = 40;

    private final Workload verified = new Workload(Workload.Mode.ONE_WAY, SIZE, 2, true);
    private final Inbox inbox = new Inbox(verified, true);
    private final Tap tap = inbox.tap();

    private static void receive(Tap tap, long thread, long... sequences) {
        for (long sequence : sequences) {
            assertThat(tap.wants(SIZE)).isTrue();
            Payload.fill(tap.copy(), thread, sequence);
            tap.received(SIZE);
        }
    }

    @Test
    void shouldFindNothingWhenAllCameInOrder() {
        receive(tap, 0, 0, 1, 2);
        receive(inbox.tap(), 1, 0, 1);
        assertThat(inbox.received()).isEqualTo(5);
        assertThat(inbox.faults(new long[] {3, 2})).isEqualTo(Faults.NONE);
    }

    @Test
    void shouldCountLostMessages() {
        receive(tap, 0, 0, 2, 3);
        assertThat(inbox.faults(new long[] {5, 1})).isEqualTo(new Faults(3, 0, 0, 0));
    }

    @Test
    void shouldCountDuplicatesAndLateOnes() {
        receive(tap, 0, 0, 2, 2, 1);
        assertThat(inbox.faults(new long[] {3, 0})).isEqualTo(new Faults(0, 1, 1, 0));
    }

    @Test
    void shouldNotAskForOrderWherePeersDoNotPromiseIt() {
        Inbox unordered = new Inbox(verified, false);
        receive(unordered.tap(), 0, 2, 1, 0);
        assertThat(unordered.faults(new long[] {3, 0})).isEqualTo(Faults.NONE);
    }

    @Test
    void shouldCountDamagedMessages() {
        Payload.fill(tap.copy(), 0, 0);
        tap.copy()[SIZE - 1]++;
        tap.received(SIZE);
        tap.received(SIZE - 1);
        receive(tap, 2, 0); // there is no such thread
        assertThat(inbox.faults(new long[] {0, 0})).isEqualTo(new Faults(0, 0, 0, 3));
    }

    @Test
    void shouldCompareCountsWithoutVerifying() {
        Inbox counting = new Inbox(new Workload(Workload.Mode.ONE_WAY, SIZE, 2, false), true);
        Tap counts = counting.tap();
        assertThat(counts.wants(SIZE)).isFalse();
        counts.received(SIZE);
        counts.add(3);
        assertThat(counting.received()).isEqualTo(4);
        assertThat(counting.faults(new long[] {3, 1})).isEqualTo(Faults.NONE);
        assertThat(counting.faults(new long[] {4, 2})).isEqualTo(new Faults(2, 0, 0, 0));
        assertThat(counting.faults(new long[] {1, 1})).isEqualTo(new Faults(0, 2, 0, 0));
    }

    @Test
    void shouldCarryWorkloadsAndFaultsAsText() {
        assertThat(Workload.decode(verified.encode() + " 127.0.0.1 7")).isEqualTo(verified);
        assertThat(Workload.rest(verified.encode() + " 127.0.0.1 7")).isEqualTo("127.0.0.1 7");
        Faults faults = new Faults(1, 2, 3, 4);
        assertThat(Faults.decode(faults.encode())).isEqualTo(faults);
        assertThat(faults.plus(faults)).isEqualTo(new Faults(2, 4, 6, 8));
    }
}
