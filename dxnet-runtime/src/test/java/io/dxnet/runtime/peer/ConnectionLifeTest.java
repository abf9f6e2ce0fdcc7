package io.dxnet.runtime.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.Disconnect.Reason;
import org.junit.jupiter.api.Test;

/** How long an end waits; the simulation of the connection management has all the rest. */
class ConnectionLifeTest {
    private static final long TIMEOUT_NS = 1_000_000_000;
    private static final long STEP_NS = TIMEOUT_NS / 10;

    private final ConnectionLife life = new ConnectionLife(TIMEOUT_NS);
    private final Marks marks = new Marks();

    /** A connection whose messages wait for a handler that is busy with those of others. */
    private static final class Marks implements ConnectionLife.Streams {
        long handled;
        long ahead;

        @Override
        public boolean hasRequests() {
            return false;
        }

        @Override
        public boolean hasReceived() {
            return true;
        }

        @Override
        public boolean isParsed() {
            return true;
        }

        @Override
        public boolean isHandled() {
            return false;
        }

        @Override
        public boolean isAllHandled() {
            return false;
        }

        @Override
        public long handledMark() {
            return handled;
        }

        @Override
        public long aheadMark() {
            return ahead;
        }

        @Override
        public long sentMark() {
            return 0;
        }

        @Override
        public long unconfirmedBytes() {
            return 0;
        }

        @Override
        public void closeRing() {}
    }

    /** Both nodes have reached the handover; only the handler is missing. */
    private void end() {
        end(life);
    }

    private static void end(ConnectionLife ending) {
        ending.startOpening();
        ending.outgoingOpened();
        ending.incomingOpened();
        ending.end(Reason.CLOSED, 0);
        ending.handoverWritten();
        ending.handoverReached(0);
        ending.received(ConnectionLife.SEEN | ConnectionLife.IDLE, 0);
    }

    private static boolean has(int effects, int effect) {
        return (effects & effect) != 0;
    }

    @Test
    void shouldStopWaitingForAHandlerWhenNothingIsHandled() {
        end();
        for (long now = 0; now <= TIMEOUT_NS / 2; now += STEP_NS) {
            assertThat(has(life.step(now, marks), ConnectionLife.WRITE_GOODBYE)).isFalse();
        }
        assertThat(has(life.step(TIMEOUT_NS / 2 + 1, marks), ConnectionLife.WRITE_GOODBYE))
                .isTrue();
        for (long now = TIMEOUT_NS / 2 + 1; now < TIMEOUT_NS; now += STEP_NS) {
            assertThat(has(life.step(now, marks), ConnectionLife.END)).isFalse();
        }
        assertThat(has(life.step(TIMEOUT_NS, marks), ConnectionLife.END)).isTrue();
    }

    /** What the other node sent meanwhile is not read yet when the threads run again. */
    @Test
    void shouldNotEndBecauseThisProcessWasPaused() {
        end();
        life.step(0, marks);
        long paused = 100 * TIMEOUT_NS;
        assertThat(life.step(paused, marks) & (ConnectionLife.WRITE_GOODBYE | ConnectionLife.END))
                .isZero();
        life.received(ConnectionLife.PROGRESS, paused);
        for (long now = paused; now < paused + TIMEOUT_NS; now += STEP_NS) {
            assertThat(has(life.step(now, marks), ConnectionLife.END)).isFalse();
        }
        assertThat(has(life.step(paused + TIMEOUT_NS, marks), ConnectionLife.END))
                .isTrue();
    }

    @Test
    void shouldEndAtTheDeadlineAfterAPauseToo() {
        end();
        life.deadline(2 * TIMEOUT_NS);
        life.step(0, marks);
        assertThat(has(life.step(2 * TIMEOUT_NS, marks), ConnectionLife.END)).isTrue();
    }

    @Test
    void shouldWaitWhileItsOwnMessagesAreHandled() {
        end();
        for (long now = 0; now < 20 * TIMEOUT_NS; now += STEP_NS) {
            marks.handled++;
            assertThat(has(life.step(now, marks), ConnectionLife.WRITE_GOODBYE | ConnectionLife.END))
                    .isFalse();
        }
    }

    /** Its own turn comes after those; a handler that never returns must not keep it for ever. */
    @Test
    void shouldWaitForSomeTimeoutsWhileMessagesAheadOfItsOwnAreHandled() {
        end();
        long waitedNs = 0;
        int signals = 0;
        while (!has(step(waitedNs), ConnectionLife.WRITE_GOODBYE)) {
            signals |= life.takeSignals();
            waitedNs += STEP_NS;
        }
        assertThat(waitedNs).isBetween(4 * TIMEOUT_NS, 5 * TIMEOUT_NS);
        assertThat(has(signals, ConnectionLife.PROGRESS))
                .as("the other node waits as well")
                .isTrue();
        while (!has(step(waitedNs), ConnectionLife.END)) {
            waitedNs += STEP_NS;
        }
        assertThat(waitedNs).isBetween(4 * TIMEOUT_NS, 6 * TIMEOUT_NS);
    }

    private int step(long nowNs) {
        marks.ahead++;
        assertThat(nowNs).as("it waits without bound").isLessThan(100 * TIMEOUT_NS);
        return life.step(nowNs, marks);
    }

    /** Each has a callback that never returns, and handles the messages of others. */
    @Test
    void shouldNotBeKeptByAnotherNodeThatIsNotDoneEither() {
        end();
        ConnectionLife other = new ConnectionLife(TIMEOUT_NS);
        end(other);
        Marks marksThere = new Marks();
        long nowNs = 0;
        for (boolean isOver = false; !isOver; nowNs += STEP_NS) {
            step(nowNs);
            marksThere.ahead++;
            other.step(nowNs, marksThere);
            life.received(other.takeSignals() & ConnectionLife.PROGRESS, nowNs);
            other.received(life.takeSignals() & ConnectionLife.PROGRESS, nowNs);
            isOver = life.isEnded() && other.isEnded();
        }
        assertThat(nowNs).isLessThan(7 * TIMEOUT_NS);
    }

    @Test
    void shouldSignalNoProgressWhereThereIsNone() {
        end();
        life.step(0, marks);
        life.takeSignals();
        for (long now = 0; now < TIMEOUT_NS; now += STEP_NS) {
            life.step(now, marks);
            assertThat(has(life.takeSignals(), ConnectionLife.PROGRESS)).isFalse();
        }
    }
}
