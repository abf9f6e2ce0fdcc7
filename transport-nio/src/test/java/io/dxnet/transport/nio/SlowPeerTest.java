package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.contract.ChildProcess;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestMessages.Data;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Back-pressure between processes: the sender has the pace of the receiver's callback. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SlowPeerTest {
    private static final int WINDOW = 64 << 10;
    private static final int ORB = 32 << 10;
    private static final int BYTES = 1000;
    private static final int COUNT = 2000;

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio").flowControlWindowBytes(WINDOW).ringBytes(ORB);
    }

    @Test
    void shouldSendAtThePaceOfASlowReceiverInBoundedMemory() throws Exception {
        List<String> addresses = Ports.addresses(2);
        try (ChildProcess child =
                        new ChildProcess("nio", 1, addresses, "flowControlWindowBytes=" + WINDOW, "ringBytes=" + ORB);
                Cluster cluster = new Cluster(List.of(Ports.map(0, addresses)), SlowPeerTest::configure)) {
            assertThat(child.tell("slow 1000")).isEqualTo("ok"); // 1 ms for each message
            DXNet net = cluster.node(0);
            long startNs = System.nanoTime();
            for (int i = 0; i < COUNT; i++) {
                net.sendMessage(new Data(1, 0, i, BYTES));
                if (i % 100 == 99) {
                    int sent = i + 1;
                    // Handled by now, or in the window; the one that is being sent was
                    // let in by the last confirmation.
                    assertThat(sent - child.count(0, 0)).isLessThanOrEqualTo(WINDOW / BYTES + 2);
                    var connection = net.statistics().connections().get(0);
                    assertThat(connection.bytesInRing()).isLessThanOrEqualTo(ORB);
                    assertThat(connection.bytesUnconfirmed()).isLessThanOrEqualTo(WINDOW + 2 * BYTES);
                }
            }
            // Its pace: all but a window of them had their millisecond
            // before the last send came back.
            assertThat(System.nanoTime() - startNs)
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(COUNT - WINDOW / BYTES - 2));
            Cluster.await("all of them", () -> child.count(0, 0) == COUNT);
            assertThat(net.statistics().sendsBlocked()).isPositive();
            assertThat(cluster.failures).isEmpty();
            cluster.awaitQuiet();
            Cluster.await("the child's buffers", () -> {
                try {
                    return child.tell("buffers").equals("0");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }
}
