package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import org.junit.jupiter.api.Test;

class ConnectionManagerTest {
    private final DXNetConfig config = DXNetConfig.builder().build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final Control control = new Control(0, requests, (what, error) -> {
        throw new AssertionError(what, error);
    });
    private final ConnectionManager connections =
            new ConnectionManager(config, new NodeMap(0), 8, 1, new RingMemory(config.orbBytes()), requests, control);

    /** Who sends an asynchronous request on a connection just made, with a short time for it, is told in time. */
    @Test
    void shouldKeepTheClockRunningForAFreshConnection() throws Exception {
        control.clock().advance(false);
        assertThat(control.clock().isIdle()).isTrue();
        connections.connectionTo(1);
        assertThat(control.clock().isIdle()).isFalse();
    }

    @Test
    void shouldKeepTheClockRunningForAConnectionThatIsUsedAgain() throws Exception {
        connections.connectionTo(1);
        control.clock().advance(false);
        control.clock().advance(false);
        assertThat(control.clock().isIdle()).isTrue();
        connections.connectionTo(1);
        assertThat(control.clock().isIdle()).isFalse();
    }
}
