package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A send queue never fills up with requests that have no completion. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnsignaledTest {
    private static final int DEPTH = 32;
    private static final int HALF = DEPTH / 2;

    private final FakeDriver driver = new FakeDriver();
    private Context context;
    private QueuePair pair;

    @BeforeEach
    void open() {
        context = driver.open();
        CompletionQueue queue = context.createCompletionQueue(16);
        pair = context.allocateProtectionDomain()
                .createQueuePair(QueuePair.options(QpType.RC, queue, queue).send(DEPTH, 1));
        pair.modify(QpAttributes.to(QpState.ERR)); // allows sends
    }

    @AfterEach
    void close() {
        context.close();
        driver.close();
    }

    private static SendChain silent(int requests) {
        SendChain chain = new SendChain(requests, 0);
        for (int i = 0; i < requests; i++) {
            chain.send(i);
        }
        return chain;
    }

    @Test
    @DisplayName("the accepted part of a chain without signals does not fill the queue")
    void shouldSignalInsideChain() {
        assertThat(pair.postSend(silent(HALF - 1))).isEqualTo(HALF - 1);
        driver.sendRoom = HALF + 1;
        SendChain chain = silent(DEPTH);
        assertThat(pair.postSend(chain)).isEqualTo(HALF + 1);
        assertThat(driver.longestRun).isLessThan(HALF);

        driver.sendRoom = Integer.MAX_VALUE;
        assertThat(pair.postSend(chain, HALF + 1)).isEqualTo(HALF - 1);
        assertThat(pair.postSend(silent(3))).isEqualTo(3);
        assertThat(pair.postSend(silent(2 * DEPTH))).isEqualTo(2 * DEPTH);
        assertThat(driver.longestRun).isLessThan(HALF);
    }

    @Test
    @DisplayName("what was refused is not counted, and what was accepted in front of it is")
    void shouldCountAccepted() {
        driver.sendRoom = 0;
        for (int i = 0; i < DEPTH; i++) {
            assertThat(pair.postSend(silent(1))).isZero();
        }
        driver.sendRoom = 3;
        assertThat(pair.postSend(silent(4))).isEqualTo(3);
        driver.sendRoom = Integer.MAX_VALUE;
        for (int i = 0; i < DEPTH; i++) {
            pair.postSend(silent(1));
        }
        assertThat(driver.longestRun).isEqualTo(HALF - 1);
    }

    @Test
    @DisplayName("an accepted signal counts where a later one of its chain is refused")
    void shouldCountFromAcceptedSignal() {
        SendChain chain = new SendChain(6, 0);
        chain.send(0).send(1).signaled().send(2).send(3).send(4).send(5).signaled();
        driver.sendRoom = 4;
        assertThat(pair.postSend(chain)).isEqualTo(4);
        assertThat(chain.lastSignaledBefore(4)).isEqualTo(1);
        driver.sendRoom = Integer.MAX_VALUE;
        for (int i = 0; i < DEPTH; i++) {
            pair.postSend(silent(1));
        }
        assertThat(driver.longestRun).isEqualTo(HALF - 1);
    }

    @Test
    @DisplayName("several threads that post without signals do not lose each other's counts")
    void shouldCountOfSeveralThreads() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                SendChain chain = new SendChain(1, 0);
                for (int k = 0; k < 5000; k++) {
                    pair.postSend(chain.clear().send(k));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(driver.longestRun).isLessThan(DEPTH);
    }
}
