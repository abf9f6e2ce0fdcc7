package io.dxnet.transport.ib;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many nodes connect all-to-all at once. */
class ManyNodesTest {
    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldConnectAllToAll() throws Exception {
        HundredNodes.connectAll(24);
    }
}
