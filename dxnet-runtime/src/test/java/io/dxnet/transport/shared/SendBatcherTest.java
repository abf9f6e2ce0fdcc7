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
        private int asked;
        private int commitOnAsk = -1;

        void commit(int bytes) {
            ring.commit(ring.tryClaim(bytes, Window.OBSERVED), bytes);
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
            boolean sent = send();
            if (asked++ == commitOnAsk) {
                commit(10); // by a thread that still saw it watched
            }
            return sent;
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
            assertThat(watch.intervalNs()).isEqualTo(us * 1000);
            assertThat(steady.intervalNs()).isEqualTo(100_000);
            assertThat(stream.ring.readable()).isEqualTo(1);
        }
        watch.visit();
        assertThat(stream.ring.readable()).isZero();
        assertThat(watch.intervalNs()).isEqualTo(100_000);
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
}
