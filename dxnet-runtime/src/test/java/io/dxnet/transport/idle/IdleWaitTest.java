package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ParkingStrategy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wait of an agent: its strategy, its signal, and no work that it parks over. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class IdleWaitTest {
    private static final int LONG_US = 60_000_000;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    private final FakePlace place = new FakePlace();

    @ParameterizedTest(name = "spins {0} µs, yields {1} µs, in its place: {2}")
    @CsvSource({
        "0, 0, true", "20, 0, true", "0, 20, true", "5, 5, true",
        "0, 0, false", "20, 0, false", "0, 20, false", "5, 5, false"
    })
    void shouldNeverParkOverWork(int spinUs, int yieldUs, boolean inPlace) throws Exception {
        ThreadSignal signal = inPlace ? place.signal() : new ThreadSignal(place::hasWork);
        IdleWait wait = wait(signal, spinUs, yieldUs);
        int rounds = 20_000;
        Thread agent = Thread.ofPlatform().start(() -> {
            while (place.done < rounds) {
                int posted = place.posted.get();
                if (posted != place.done) {
                    place.done = posted;
                    wait.worked();
                } else {
                    wait.await(LONG_NS);
                }
            }
        });
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        for (int i = 1; i <= rounds && System.nanoTime() - endNs < 0; i++) {
            place.posted.set(i);
            signal.raise();
            long roundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (place.done < i) {
                assertThat(System.nanoTime() - roundNs)
                        .as("a wake-up is lost in round %d", i)
                        .isNegative();
                Thread.onSpinWait();
            }
            for (int spin = i * 37 % 200; spin > 0; spin--) {
                Thread.onSpinWait();
            }
        }
        place.posted.set(rounds);
        signal.wakeup();
        agent.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(agent.isAlive()).isFalse();
    }

    private IdleWait wait(ThreadSignal signal, int spinUs, int yieldUs) {
        return new IdleWait(
                IdleStrategyTest.strategy(ParkingStrategy.ADAPTIVE, spinUs, yieldUs), place::hasWork, signal);
    }

    @Test
    void shouldParkAtOnceWhenThereWasNoWorkYet() {
        IdleWait wait = wait(place.signal(), LONG_US, LONG_US);
        wait.await(FakePlace.NS_MIN + TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(place.parks).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"60000000, 0", "0, 60000000"})
    void shouldCheckAgainWhenTheWorkIsNotLongAgo(int spinUs, int yieldUs) {
        AtomicInteger checks = new AtomicInteger();
        IdleWait wait = new IdleWait(
                IdleStrategyTest.strategy(ParkingStrategy.ADAPTIVE, spinUs, yieldUs),
                () -> checks.incrementAndGet() % 3 == 0,
                place.signal());
        wait.worked();
        wait.await(LONG_NS);
        assertThat(checks).hasValue(3);
        wait.await(LONG_NS);
        assertThat(checks).hasValue(6);
        assertThat(place.parks).hasValue(0);
    }

    @Test
    void shouldParkWhenItsStrategyEndsBeforeTheWait() {
        IdleWait wait = wait(place.signal(), 100, 100);
        wait.worked();
        wait.await(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(place.parks).hasValue(1);
    }

    @Test
    void shouldReturnWhenTheTimeIsUp() {
        for (int spinUs : new int[] {1, LONG_US}) {
            IdleWait wait = wait(place.signal(), spinUs, 1);
            for (long ns : new long[] {0, -1, 1_000, 500_000, 5_000_000}) {
                wait.worked();
                wait.await(ns);
            }
        }
    }

    @Test
    void shouldNotWaitWhenItIsNotified() {
        ThreadSignal signal = place.signal();
        IdleWait wait = wait(signal, 0, 0);
        signal.wakeup();
        wait.await(LONG_NS);
        assertThat(place.parks).hasValue(0);
    }

    /** A check that finds work once the time has come, after a pause as long as a yield. */
    private IdleWait wait(AtomicLong workNs, long pauseNs, int spinUs, int yieldUs) {
        return new IdleWait(
                IdleStrategyTest.strategy(ParkingStrategy.ADAPTIVE, spinUs, yieldUs),
                () -> {
                    long nowNs = System.nanoTime();
                    if (nowNs - workNs.get() < 0) {
                        return false;
                    }
                    while (System.nanoTime() - nowNs < pauseNs) {
                        Thread.onSpinWait();
                    }
                    return true;
                },
                place.signal());
    }

    private static void await(IdleWait wait, AtomicLong workNs, int workMs, long timeoutNs) {
        wait.worked();
        workNs.set(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(workMs));
        wait.await(timeoutNs);
    }

    @Test
    void shouldYieldAtOnceWhenAYieldLetAnotherThreadRun() {
        AtomicLong workNs = new AtomicLong();
        IdleWait wait = wait(workNs, IdleWait.LONG_YIELD_NS, 1, LONG_US);
        await(wait, workNs, 20, LONG_NS);
        assertThat(wait.spins()).isFalse();
        await(wait, workNs, 0, LONG_NS); // it is there already: nothing is learned
        assertThat(wait.spins()).isFalse();
        assertThat(place.parks).hasValue(0);
    }

    @ParameterizedTest(name = "spins {0} µs, yields {1} µs, work after {2} ms")
    @CsvSource({"60000000, 60000000, 20", "1000, 10000, 20000", "1000, 20000, 10"})
    void shouldSpinAgainWhenNoThreadOfThisCoreMadeTheWork(int spinUs, int yieldUs, int workMs) {
        AtomicLong workNs = new AtomicLong();
        IdleWait wait = wait(workNs, TimeUnit.MILLISECONDS.toNanos(30), spinUs, yieldUs);
        await(wait, workNs, workMs, TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(wait.spins()).isTrue();
    }
}
