package io.dxnet.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine's thread survives whatever its agent throws. */
@Timeout(30)
class EngineThreadTest {
    private static final int CYCLES = 5;

    private final AtomicInteger reported = new AtomicInteger();

    /** Throws in each wait, and in each second duty cycle. */
    private static final class FailingAgent implements Agent {
        private final CountDownLatch waits = new CountDownLatch(CYCLES);
        private int cycles;

        @Override
        public String role() {
            return "failing";
        }

        @Override
        public int doWork() {
            if (cycles++ % 2 == 0) {
                throw new IllegalStateException("the test wants it");
            }
            return 0;
        }

        @Override
        public void await(long timeoutNs) {
            waits.countDown();
            throw new InternalError("the test wants it");
        }

        @Override
        public void wakeup() {}
    }

    private void run(EngineThread.Errors errors) throws InterruptedException {
        FailingAgent agent = new FailingAgent();
        IdleStrategies strategies =
                new IdleStrategies(DXNetConfig.builder().idleParkAfterMs(0).build());
        EngineThread thread = new EngineThread("test", agent, EngineThread.NONE, strategies, errors);
        thread.start();
        assertThat(agent.waits.await(20, TimeUnit.SECONDS)).isTrue();
        thread.shutdown();
        thread.join();
    }

    @Test
    void shouldReportEachErrorAndContinue() throws InterruptedException {
        run((what, error) -> {
            assertThat(what).isEqualTo("test failed in a duty cycle and continues");
            assertThat(error).hasMessage("the test wants it");
            reported.incrementAndGet();
        });
        assertThat(reported.get()).isGreaterThanOrEqualTo(2 * CYCLES - 1);
    }

    @Test
    void shouldContinueWhereAnErrorCannotBeReported() throws InterruptedException {
        run((what, error) -> {
            throw new OutOfMemoryError("the test wants it");
        });
    }
}
