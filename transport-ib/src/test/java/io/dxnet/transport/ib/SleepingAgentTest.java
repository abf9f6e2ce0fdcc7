package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.transport.Agent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Callers send while the sending agent sleeps, for so long that only a completion, or the callers,
 * can end its sleep in time; the completions come after the callers have polled.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SleepingAgentTest {
    private static final long SLEEP_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int DELAY_MS = 100;

    private FakeEngine node;
    private FakeEngine receiver;
    private FakeEngine.FakeConnection connection;
    private Agent agent;
    private Thread thread;
    private volatile boolean stopped;

    @BeforeEach
    void start() throws Exception {
        IbNodes.assumeSoftware();
        List<String> addresses = Ports.addresses(2);
        node = FakeEngine.started(0, addresses);
        receiver = FakeEngine.started(1, addresses);
        node.connect(receiver);
        connection = node.connection(1);
        agent = node.transport.agents().get(1);
        assertThat(agent.role()).isEqualTo("send-0");
        thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!stopped) {
                    if (agent.doWork() == 0) {
                        agent.await(SLEEP_NS);
                    }
                }
            } catch (Exception e) {
                node.errors.add(e.toString());
            }
        });
        Cluster.await("the agent sleeps", this::isAsleep);
        SoftFaults.of(IbNodes.DEVICE).delay(Duration.ofMillis(DELAY_MS));
    }

    private boolean isAsleep() {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("IbAgent")
                        && frame.getMethodName().equals("park"));
    }

    @AfterEach
    void stop() throws Exception {
        if (thread != null) {
            SoftFaults.of(IbNodes.DEVICE).clear();
            stopped = true;
            agent.wakeup();
            thread.join();
            assertThat(node.errors).isEmpty();
            node.close();
            receiver.close();
        }
    }

    private void send(int bytes) {
        connection.write(bytes);
        node.transport.sendNow(connection);
    }

    private void awaitAllConfirmed() {
        Cluster.await("all is sent and confirmed", () -> connection.ring().pending() == 0);
    }

    @Test
    void shouldPollWhatFillsTheSendQueue() {
        for (int i = 0; i < 3; i++) {
            send(10); // the queue has 4 entries, of which data takes 2
        }
        assertThat(node.state(1).stream().isFull()).isTrue();
        awaitAllConfirmed();
    }

    @Test
    void shouldPollWhatFillsTheRing() {
        send(connection.ring().capacity() / 2 + 1);
        assertThat(node.state(1).stream().isFull()).isFalse();
        awaitAllConfirmed();
    }
}
