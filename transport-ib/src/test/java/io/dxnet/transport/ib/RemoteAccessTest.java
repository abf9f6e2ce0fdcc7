package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.Device;
import io.dxnet.softhca.SoftHca;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No node lets another device read, write or change its memory. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RemoteAccessTest {
    @BeforeEach
    void software() {
        IbNodes.assumeSoftware();
    }

    /** With encryption, the memory that messages are encrypted into is registered too. */
    @ParameterizedTest
    @EnumSource(Encryption.class)
    void shouldAllowNoRemoteAccessToMemoryOfConnectedNodes(Encryption encryption) throws Exception {
        long before = SoftHca.census().memoryRegions();
        try (Cluster cluster = IbNodes.cluster(
                2,
                builder -> Protection.KEY.member(
                        IbNodes.configure(builder).transportOption("ib.security", encryption.toString())))) {
            for (int i = 0; i < 2; i++) {
                cluster.node(i).sendSync(new Ping(1 - i, "connected", 1), Duration.ofSeconds(30));
            }
            // Of each node, the receive pool and the ring.
            assertThat(SoftHca.census().memoryRegions() - before).isEqualTo(encryption == Encryption.NONE ? 4 : 6);
            assertThat(SoftHca.census().queuePairs()).isPositive();
            assertThat(SoftHca.remotelyAccessible()).isZero();
        }
    }

    /** The count above finds what it has to. */
    @Test
    void shouldCountARegionWithRemoteAccess() {
        try (var context = Device.named(IbNodes.DEVICE).open();
                var domain = context.allocateProtectionDomain();
                var region = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
            assertThat(region.byteSize()).isEqualTo(4096);
            assertThat(SoftHca.remotelyAccessible()).isEqualTo(1);
        }
    }
}
