package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadSignalTest {
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);

    private final FakePlace place = new FakePlace();
    private final ThreadSignal signal = place.signal();

    @Test
    void shouldNotParkWhenAWakeUpCameBefore() {
        signal.wakeup();
        signal.park(LONG_NS);
        assertThat(place.parks).hasValue(0);
        assertThat(place.unparks).hasValue(0);
    }

    @Test
    void shouldUseUpANotificationOnce() {
        signal.wakeup();
        assertThat(signal.takeNotification()).isTrue();
        assertThat(signal.takeNotification()).isFalse();
    }

    @Test
    void shouldNotSignalAThreadThatRuns() {
        signal.raise();
        assertThat(place.unparks).hasValue(0);
        signal.park(FakePlace.NS_MIN);
        assertThat(place.parks).as("no notification was left over").hasValue(1);
    }

    @Test
    void shouldParkOutsideOfThePlaceWhenTheTimeIsShorterThanItOffers() {
        signal.park(FakePlace.NS_MIN / 2);
        assertThat(place.parks).hasValue(0);
    }

    @Test
    void shouldNotParkWhenThereIsWork() {
        place.posted.set(1);
        signal.park(LONG_NS);
        assertThat(place.parks).hasValue(0);
        new ThreadSignal(place::hasWork).park(LONG_NS);
    }

    @Test
    void shouldNotParkWhenThereIsNoTime() {
        signal.park(0);
        signal.park(-1);
        assertThat(place.parks).hasValue(0);
    }

    @Test
    void shouldEndAParkWhenThereIsNoPlace() throws InterruptedException {
        ThreadSignal own = new ThreadSignal(() -> false);
        Thread thread = Thread.ofPlatform().start(() -> own.park(LONG_NS));
        while (!own.isParked()) {
            Thread.onSpinWait();
        }
        own.raise();
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).isFalse();
        assertThat(own.isParked()).isFalse();
    }

    @Test
    void shouldRunAgainWhenThePlaceThrew() {
        FakePlace closed = new FakePlace() {
            @Override
            public void park(long timeoutNs) {
                super.park(0);
                throw new IllegalStateException("closed");
            }
        };
        ThreadSignal signalOfClosed = closed.signal();
        for (int i = 1; i <= 2; i++) {
            assertThatIllegalStateException().isThrownBy(() -> signalOfClosed.park(LONG_NS));
            assertThat(closed.parks).hasValue(i);
            assertThat(signalOfClosed.isParked()).isFalse();
        }
    }
}
