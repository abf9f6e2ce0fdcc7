package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.CpuTime;
import io.dxnet.contract.TestMessages.Ping;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node with connections and nothing to do sleeps. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IdleTest {
    private static final double PERCENT_MAX = 5;

    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldUseLittleOfTheProcessor(ThreadingLayout layout) throws Exception {
        try (Cluster cluster =
                IbNodes.cluster(2, builder -> IbNodes.configure(builder).threadingLayout(layout))) {
            DXNet net = cluster.node(0);
            for (int i = 0; i < 2000; i++) {
                net.sendSync(new Ping(1, "x", 100), Duration.ofSeconds(30));
            }
            CpuTime.percent(net, Duration.ofMillis(300)); // until its threads park
            double percent = CpuTime.percent(net, Duration.ofMillis(1500));
            System.out.printf("idle node, %s: %.2f %% of a core%n", layout, percent);
            assertThat(percent).isLessThan(PERCENT_MAX);
            assertThat(net.sendSync(new Ping(1, "awake", 100), Duration.ofSeconds(30)).text)
                    .isEqualTo("awake");
        }
    }
}
