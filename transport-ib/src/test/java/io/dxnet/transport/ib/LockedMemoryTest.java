package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.softhca.SoftFaults;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of users that may lock little memory. */
@Timeout(120)
class LockedMemoryTest {
    private static final String[] OPTIONS = {
        "ib.sharedReceiveRequests", "ib.receiveSges", "ib.receiveBufferBytes", "ib.receivePoolBytes", "ringBytes"
    };
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long MIB = 1 << 20;

    private SoftFaults faults;

    @BeforeEach
    void device() {
        IbNodes.assumeSoftware();
        faults = SoftFaults.of(IbNodes.DEVICE);
    }

    @AfterEach
    void clear() {
        faults.clear();
    }

    private static DXNetConfig.Builder auto(DXNetConfig.Builder builder) {
        return IbNodes.configure(builder).transport("auto");
    }

    private static void ping(Cluster cluster) throws Exception {
        assertThat(cluster.node(0).sendSync(new Ping(1, "hello", 100), LIMIT).text)
                .isEqualTo("hello");
    }

    /** The limit is on all nodes together: the software device has them in one process. */
    @Test
    void shouldTakeLessMemoryWhereAutoMayLockLittle() throws Exception {
        faults.limitRegisteredBytes(2 * 8 * MIB);
        try (Cluster cluster = IbNodes.cluster(2, LockedMemoryTest::auto)) {
            ping(cluster);
            assertThat(cluster.node(0).describe())
                    .startsWith("ib with less memory (not ib: ")
                    .contains("ENOMEM")
                    .contains("registering " + 32 * MIB + " bytes")
                    .contains("64 receives of 16384 bytes");
        }
    }

    @Test
    void shouldFallBackToTcpWhereAutoMayLockNearlyNothing() throws Exception {
        faults.limitRegisteredBytes(64 << 10);
        try (Cluster cluster = IbNodes.cluster(2, LockedMemoryTest::auto)) {
            ping(cluster);
            assertThat(cluster.node(0).describe())
                    .startsWith("nio (not ib: ")
                    .contains("not ib with less memory: ")
                    .contains("ENOMEM");
        }
    }

    @Test
    void shouldTakeTheFullPoolWhereAutoMayLockIt() throws Exception {
        try (Cluster cluster = IbNodes.cluster(2, LockedMemoryTest::auto)) {
            assertThat(cluster.node(0).describe()).startsWith("ib;").contains("256 receives");
        }
    }

    @Test
    void shouldNameTheOptionsThatMakeItFit() {
        faults.limitRegisteredBytes(8 * MIB);
        assertThatThrownBy(() -> new DXNet(
                                IbNodes.configure(DXNetConfig.builder()).build(), new NodeMap(0).put(0, "127.0.0.1:0"))
                        .close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining("RLIMIT_MEMLOCK is ")
                .hasMessageContainingAll(OPTIONS);
    }

    /** What the error recommends for 8 MiB. */
    @Test
    void shouldRunWithTheValuesOfTheError() throws Exception {
        faults.limitRegisteredBytes(2 * 8 * MIB);
        try (Cluster cluster = IbNodes.cluster(
                2,
                builder -> IbNodes.configure(builder)
                        .transportOption("ib.sharedReceiveRequests", "64")
                        .transportOption("ib.receiveSges", "4")
                        .transportOption("ib.receiveBufferBytes", "4K")
                        .ringBytes(256 << 10))) {
            ping(cluster);
        }
    }

    /**
     * The pools and the ring of the accepting node fit, the ring of the connecting node does not.
     */
    @Test
    void shouldNameTheOptionsWhereTheOwnRingDoesNotFit() {
        faults.limitRegisteredBytes(2 * 32 * MIB + 3 * MIB / 2);
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::configure)) {
            assertThatThrownBy(() -> cluster.node(0).connectNode(1))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("ENOMEM")
                    .hasMessageContainingAll(OPTIONS);
        }
    }

    /**
     * The ring of the accepting node does not fit: this node gets the reason
     * briefly, that one reports it in full.
     */
    @Test
    void shouldNameTheOptionsWhereTheOtherRingDoesNotFit() {
        faults.limitRegisteredBytes(2 * 32 * MIB + MIB / 2);
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::configure)) {
            assertThatThrownBy(() -> cluster.node(0).connectNode(1))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("node 1")
                    .hasMessageContaining(LockedMemory.ExceededException.REASON);
            assertThat(cluster.failures).anySatisfy(failure -> {
                assertThat(failure.node()).isEqualTo(1);
                assertThat(failure.error()).hasMessageContaining("ENOMEM").hasMessageContainingAll(OPTIONS);
            });
        }
    }

    @Test
    void shouldKeepWhatTheConfigurationSets() {
        DXNetConfig config = auto(DXNetConfig.builder())
                .ringBytes(4 << 20)
                .transportOption("ib.receiveSges", "2")
                .build();
        assertThat(LockedMemory.smaller(config)).isEmpty();
        assertThat(LockedMemory.smaller(
                        auto(DXNetConfig.builder()).ringBytes(4 << 20).build()))
                .hasValueSatisfying(smaller -> assertThat(smaller.ringBytes()).isEqualTo(4 << 20));
        assertThat(LockedMemory.smaller(auto(DXNetConfig.builder())
                        .transportOption("ib.receivePoolBytes", "64M")
                        .build()))
                .hasValueSatisfying(smaller -> {
                    assertThat(smaller.ringBytes()).isEqualTo(256 << 10);
                    assertThat(IbOptions.from(smaller.transportOptions()).sharedReceiveRequests())
                            .isEqualTo(256);
                });
    }

    @Test
    void shouldNotTakeWhatCannotConnectAllNodes() {
        NodeMap nodes = new NodeMap(0);
        for (int i = 0; i < 24; i++) {
            nodes.put(i, "127.0.0.1:1");
        }
        DXNetConfig given = auto(DXNetConfig.builder()).build();
        DXNetConfig smaller = LockedMemory.smaller(given).orElseThrow();
        OptionalLong limit = OptionalLong.of(8 * MIB);
        assertThatThrownBy(() -> LockedMemory.requireForAllNodes(
                        IbOptions.from(given.transportOptions()), given, nodes, OptionalLong.of(40 * MIB)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("24 rings need " + 56 * MIB + " bytes")
                .hasMessageContaining("RLIMIT_MEMLOCK is " + 40 * MIB + " bytes")
                .hasMessageContainingAll(OPTIONS);
        IbOptions options = IbOptions.from(smaller.transportOptions());
        assertThatCode(() -> LockedMemory.requireForAllNodes(options, smaller, nodes, limit))
                .doesNotThrowAnyException();
        assertThatCode(() -> LockedMemory.requireForAllNodes(options, smaller, nodes, OptionalLong.empty()))
                .doesNotThrowAnyException();
        nodes.put(24, "127.0.0.1:1");
        assertThatThrownBy(() -> LockedMemory.requireForAllNodes(options, smaller, nodes, limit))
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void shouldReadTheLimitOfTheProcess() {
        String head = "Limit                     Soft Limit           Hard Limit           Units";
        List<String> limited =
                List.of(head, "Max locked memory         8388608              16777216             bytes");
        List<String> unlimited =
                List.of(head, "Max locked memory         unlimited            unlimited            bytes");
        List<String> user = List.of("Name:\tjava", "CapEff:\t0000000000000000");
        List<String> root = List.of("CapEff:\t000001ffffffffff");
        List<String> container = List.of("CapEff:\t00000000a80425fb");
        assertThat(LockedMemory.limit(limited, user)).hasValue(8 * MIB);
        assertThat(LockedMemory.limit(limited, container)).hasValue(8 * MIB);
        assertThat(LockedMemory.limit(limited, root)).isEmpty();
        assertThat(LockedMemory.limit(unlimited, user)).isEmpty();
    }
}
