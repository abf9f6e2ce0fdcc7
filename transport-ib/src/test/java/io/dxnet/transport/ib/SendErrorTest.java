package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an error interrupts while it is being posted cannot be posted again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SendErrorTest {
    @Test
    void shouldEndTheConnectionWhosePostAnErrorInterrupts() throws Exception {
        List<String> addresses = Ports.addresses(2);
        try (FakeEngine node = FakeEngine.started(0, addresses);
                FakeEngine peer = FakeEngine.started(1, addresses)) {
            node.connect(peer);
            FakeEngine.FakeConnection connection = node.connection(1);
            OutOfMemoryError full = new OutOfMemoryError("the test wants it");
            connection.write(100);
            connection.inPost = full;
            assertThatThrownBy(() -> node.transport.sendNow(connection)).isSameAs(full);
            Cluster.await("its end", () -> {
                node.cycle();
                return !node.lost.isEmpty();
            });
            assertThat(node.lost).containsExactly("an error ended a post to the send queue");
        }
    }
}
