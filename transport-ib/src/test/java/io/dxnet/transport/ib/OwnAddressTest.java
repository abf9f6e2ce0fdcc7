package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.NodeMap;
import org.junit.jupiter.api.Test;

/** Device and GID are chosen by this node's address of the node map. */
class OwnAddressTest {
    @Test
    void shouldBeKnownFromTheNodeMap() {
        NodeMap map = new NodeMap(1);
        map.put(0, "10.77.0.1:4711");
        map.put(1, "10.77.0.2:4711");

        assertThat(IbTransport.ownAddress(map).getHostAddress()).isEqualTo("10.77.0.2");
    }

    @Test
    void shouldBeUnknownWhenTheMapDoesNotSay() {
        assertThat(IbTransport.ownAddress(new NodeMap(1))).isNull();
    }
}
