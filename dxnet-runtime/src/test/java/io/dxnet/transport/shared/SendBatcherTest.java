package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class SendBatcherTest {
    private static final class FakeStream extends SendBatcher.Stream {
        private final OutgoingRingBuffer ring =
                new OutgoingRingBuffer(Arena.ofAuto().allocate(4096), 16, 1L << 40);
        private boolean over;
        private boolean full;
        private boolean busy; // another thread sends
        private int asked;
        private int commitOnAsk = -1;

        void commit(int bytes) {
            ring.commit(ring.tryClaim(bytes, Window.OBSERVED), bytes);
        }

        long claim() {
            return ring.tryClaim(10, Window.OBSERVED);
        }

        boolean send() {
            int bytes = ring.readable();
            ring.post(bytes);
            ring.confirm(bytes);
            return bytes > 0;
        }

        @Override
        protected OutgoingRingBuffer ring() {
            return ring;
        }

        @Override
        protected boolean sendByAgent() {
            boolean sent = !busy && send();
            if (asked++ == commitOnAsk) {
                commit(10); // by a thread that still saw it watched
            }
            return sent;
        }

        @Override
        protected boolean isFull() {
            return full;
        }

        @Override
        protected boolean isOver() {
            return over;
        }
    }

    private final SendBatcher watch = SendBatcher.adaptive();
    private final FakeStream stream = new FakeStream();

    @Test
    void shouldSendAsLongAsThereIsSomethingNew() {
        assertThat(watch.isEmpty()).isTrue();
        assertThat(watch.add(stream)).isTrue();
        assertThat(watch.add(stream)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(stream.isWatched()).isTrue();
            stream.commit(100);
            watch.visit();
            assertThat(stream.ring.readable()).isZero();
        }
        watch.visit();
        assertThat(stream.isWatched()).isFalse();
        assertThat(watch.isEmpty()).isTrue();
        assertThat(watch.add(stream)).isTrue();
    }

    @Test
    void shouldWatchUntilSeveralPollsInARowFindNothingWherePostsAreExpensive() {
        SendBatcher patient = SendBatcher.patient();
        patient.add(stream);
        for (int round = 0; round < 2; round++) {
            for (int empty = 0; empty < 3; empty++) {
                patient.visit();
                assertThat(stream.isWatched()).isTrue();
                assertThat(patient.limitNs(Long.MAX_VALUE)).isEqualTo(100_000);
            }
            stream.commit(100);
            patient.visit();
            assertThat(stream.ring.readable()).isZero();
        }
        for (int empty = 0; empty < 4; empty++) {
            assertThat(stream.isWatched()).isTrue();
            patient.visit();
        }
        assertThat(stream.isWatched()).isFalse();
        assertThat(patient.isEmpty()).isTrue();
    }

    @Test
    void shouldSendWhatWasCommittedWhileItStopped() {
        watch.add(stream);
        stream.commitOnAsk = 0;
        watch.visit();
        assertThat(stream.asked).isEqualTo(2);
        assertThat(stream.ring.readable()).isZero();
        assertThat(stream.isWatched()).isTrue();
        assertThat(watch.isEmpty()).isFalse();
    }

    @Test
    void shouldLookLessOftenWhileCallersWriteFullBatches() {
        SendBatcher steady = SendBatcher.steady();
        FakeStream other = new FakeStream();
        watch.add(stream);
        steady.add(other);
        long[] intervalsUs = {200, 400, 800, 800};
        for (long us : intervalsUs) {
            stream.commit(100);
            stream.send();
            stream.commit(1); // young: left alone
            other.commit(1);
            other.send();
            watch.visit();
            steady.visit();
            assertThat(watch.limitNs(Long.MAX_VALUE)).isEqualTo(us * 1000);
            assertThat(steady.limitNs(Long.MAX_VALUE)).isEqualTo(100_000);
            assertThat(stream.ring.readable()).isEqualTo(1);
        }
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertThat(watch.limitNs(Long.MAX_VALUE)).isEqualTo(100_000);
    }

    @Test
    void shouldForgetAStreamThatIsOverAndKeepTheOthers() {
        FakeStream other = new FakeStream();
        watch.add(stream);
        watch.add(other);
        stream.over = true;
        stream.commit(1);
        other.commit(1);
        watch.visit();
        assertThat(stream.isWatched()).isFalse();
        assertThat(stream.asked).isZero();
        assertThat(other.isWatched()).isTrue();
        assertThat(other.ring.readable()).isZero();
    }

    private static final long UNFINISHED_NS = 2_000_000;

    private void assertAwaited(boolean awaited) {
        assertThat(watch.isEmpty()).isTrue();
        assertThat(watch.limitNs(Long.MAX_VALUE)).isEqualTo(awaited ? UNFINISHED_NS : Long.MAX_VALUE);
    }

    private void sent() {
        watch.sent(stream, stream.sendByAgent());
    }

    @Test
    void shouldSendARegionThatWasClaimedWhenTheAgentSentNothing() {
        long claim = stream.claim();
        sent();
        assertAwaited(true);
        assertThat(watch.limitNs(5)).isEqualTo(5);
        watch.visit();
        assertThat(watch.hasWork()).isFalse();
        stream.ring.commit(claim, 10);
        assertThat(watch.hasWork()).isTrue();
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertThat(watch.hasWork()).isFalse();
        assertAwaited(false);
    }

    @Test
    void shouldSendARegionThatWasClaimedWhenTheWatchEnded() {
        watch.add(stream);
        long claim = stream.claim();
        watch.visit();
        assertThat(stream.isWatched()).isFalse();
        assertAwaited(true);
        stream.ring.commit(claim, 10);
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertAwaited(false);
    }

    @Test
    void shouldNotAwaitWhatIsClaimedLater() {
        long claim = stream.claim();
        sent();
        stream.claim(); // its thread posts
        stream.ring.commit(claim, 10);
        watch.visit();
        assertAwaited(false);
    }

    @Test
    void shouldAwaitWhatIsClaimedBeforeItSendsAgain() {
        long claim = stream.claim();
        sent();
        long second = stream.claim();
        sent(); // on the interest of another thread
        stream.ring.commit(claim, 10);
        watch.visit();
        assertAwaited(true);
        stream.ring.commit(second, 10);
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertAwaited(false);
    }

    @Test
    void shouldLeaveARegionToTheThreadThatSendsWithoutSpinningForIt() {
        long claim = stream.claim();
        stream.busy = true;
        sent();
        stream.ring.commit(claim, 10);
        assertThat(watch.hasWork()).isTrue();
        watch.visit();
        assertThat(watch.hasWork()).isFalse();
        assertAwaited(true);
        stream.busy = false; // it had read the ring before
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertAwaited(false);
    }

    @Test
    void shouldNotAwaitRegionsOfAStreamThatIsFullOrOver() {
        stream.claim();
        stream.full = true;
        sent();
        assertAwaited(false);
        stream.full = false;
        sent();
        assertAwaited(true);
        stream.full = true; // for another thread: the agent sends when there is room
        watch.visit();
        assertAwaited(false);
        stream.full = false;
        sent();
        assertAwaited(true);
        stream.over = true;
        watch.visit();
        assertAwaited(false);
    }
}
