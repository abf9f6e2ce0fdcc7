package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RemoteMemoryContract;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Remote memory on the device of {@link TestDevice}. */
class IbMemoryTest extends RemoteMemoryContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }

    /** The whole contract is the device's: but for a region of the node itself, and encryption. */
    @ParameterizedTest
    @EnumSource(Encryption.class)
    void shouldUseTheDevice(Encryption encryption) throws Exception {
        try (Cluster cluster = new Cluster(
                        TestDevice.maps(2),
                        builder -> Protection.KEY.member(
                                configure(builder).transportOption("ib.security", encryption.toString())));
                Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(64, 8);
            try (SharedRegion shared =
                    cluster.node(0).remoteMemory().share("region", segment, EnumSet.allOf(Right.class), Peers.all())) {
                RemoteRegion other = cluster.node(1).remoteMemory().attach(0, "region");
                assertThat(other.isOneSided()).isEqualTo(encryption == Encryption.NONE);
                assertThat(cluster.node(0).remoteMemory().attach(0, "region").isOneSided())
                        .isFalse();
                assertThat(other.fetchAdd(8, 7)).isZero();
                assertThat(shared.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(7);
            }
        }
    }
}
