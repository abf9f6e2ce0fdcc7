package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionLostException;
import io.dxnet.contract.ChildProcess;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent that polls the shared memory reads the end of a process from its channel alone. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PolledPeerTest {
    private static final int PEER = 2;

    /** Before the time of a request is over, and before the agent sleeps. */
    @Test
    void shouldNoticeTheEndOfAPeerWhileTheAgentPolls() throws Exception {
        List<String> addresses = Ports.addresses(PEER + 1);
        try (Cluster cluster = new Cluster(
                        List.of(Ports.map(0, addresses)),
                        builder -> builder.transport("shm").idleParkAfterMs(0).idleYieldUs(60_000_000));
                ChildProcess peer = new ChildProcess("shm", PEER, addresses)) {
            assertThat(cluster.node(0).sendSync(new Ping(PEER, "first", 10), Cluster.PATIENCE))
                    .isNotNull();
            peer.stop();
            CompletableFuture<Pong> answer =
                    cluster.node(0).sendAsync(new Ping(PEER, "last", 10), Cluster.PATIENCE.dividedBy(2));
            peer.kill();
            assertThatThrownBy(answer::join).hasCauseInstanceOf(ConnectionLostException.class);
        }
    }
}
