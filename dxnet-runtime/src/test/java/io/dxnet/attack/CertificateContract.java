package io.dxnet.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.MessageType;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.SecurityMode;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestKeys;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes with certificates that must be refused, and what a machine in the middle does to a channel
 * of nodes with mutual TLS. Node 1 is the victim.
 */
@Timeout(180)
public abstract class CertificateContract {
    record Number(long number) {}

    private static final MessageType<Number> NUMBER = MessageType.of(1, Number.class, MethodHandles.lookup());

    @TempDir
    static Path folder;

    private static TestKeys keys;

    private final String transport;
    private final UnaryOperator<DXNetConfig.Builder> settings;
    private final List<Long> received = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Disconnect> ends = new LinkedBlockingQueue<>();
    private DXNet victim; // node 1

    /** The attacks on one wire. */
    protected CertificateContract(String transport, UnaryOperator<DXNetConfig.Builder> settings) {
        this.transport = transport;
        this.settings = settings;
    }

    @BeforeAll
    static void make() {
        keys = new TestKeys(folder);
        keys.authority("ca");
        keys.authority("stranger", "ca");
        keys.trust("trust", "ca");
        keys.trust("next", "stranger");
        keys.trust("both", "ca", "stranger");
        keys.node("one", "ca", 1);
        keys.node("two", "ca", 2);
        keys.node("nextOne", "stranger", 1);
        keys.node("nextTwo", "stranger", 2);
        keys.node("expired", "ca", "-10d", 2, 2);
        keys.node("early", "ca", "+2d", 2, 2);
        keys.node("otherCluster", "ca", "-1d", 3, "dxnet:other/node/2");
    }

    @BeforeEach
    void start() {
        DXNetConfig.Builder basis = basis().transportOption(transport + ".handshakeTimeoutMs", "10000");
        victim = DXNet.builder(new NodeMap(1).put(1, "127.0.0.1:0"))
                .config(keys.configure(basis, "one", "trust").build())
                .on(NUMBER, (number, from) -> received.add(number.number()))
                .listener(new ConnectionListener() {
                    @Override
                    public void disconnected(int nodeId, Disconnect end) {
                        ends.add(end);
                    }
                })
                .start();
    }

    @AfterEach
    void stop() {
        victim.close();
    }

    private DXNetConfig.Builder basis() {
        return settings.apply(DXNetConfig.builder()).connectTimeoutMs(10_000);
    }

    private DXNetConfig secured(String node, String trust) {
        return keys.configure(basis(), node, trust).build();
    }

    private DXNet node(int id, DXNetConfig config, InetSocketAddress of) {
        return DXNet.builder(new NodeMap(id).put(id, "127.0.0.1:0").put(1, of))
                .config(config)
                .on(NUMBER, (number, from) -> {})
                .start();
    }

    private InetSocketAddress address() {
        return victim.nodeMap().address(1);
    }

    private static void send(DXNet from, long number) throws Exception {
        from.send(1, NUMBER, new Number(number));
        from.whenHandled(1).get(20, TimeUnit.SECONDS);
    }

    private void shouldBeRefused(int id, DXNetConfig config) {
        try (DXNet stranger = node(id, config, address())) {
            assertThatThrownBy(() -> send(stranger, 666)).isInstanceOf(NodeUnreachableException.class);
        }
        assertThat(received).isEmpty();
    }

    private void shouldStillWork() throws Exception {
        try (DXNet good = node(2, secured("two", "trust"), address())) {
            send(good, 42);
        }
        assertThat(received).containsExactly(42L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nextTwo", "expired", "early", "otherCluster"})
    void shouldRefuseAWrongCertificate(String certificate) throws Exception {
        shouldBeRefused(2, secured(certificate, "both"));
        shouldStillWork();
    }

    @Test
    void shouldRefuseTheIdOfAnotherNodeWhoseOwnerIsAwayOrConnected() throws Exception {
        shouldBeRefused(3, secured("two", "trust"));
        try (DXNet owner = node(2, secured("two", "trust"), address())) {
            send(owner, 1);
            keys.node("three", "ca", 3);
            try (DXNet thief = node(2, secured("three", "trust"), address())) {
                assertThatThrownBy(() -> send(thief, 666))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("refused");
            }
            send(owner, 2);
        }
        assertThat(received).containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "local", "key"})
    void shouldRefuseNodesInAnotherMode(String mode) throws Exception {
        DXNetConfig.Builder config = basis().security(SecurityMode.valueOf(mode.toUpperCase(Locale.ROOT)));
        shouldBeRefused(2, (mode.equals("key") ? config.keySource(() -> List.of(new byte[32])) : config).build());
        shouldStillWork();
    }

    @Test
    void shouldNotTrustAListenerThatIsAnotherNode() throws Exception {
        try (DXNet impostor = DXNet.builder(new NodeMap(2).put(2, "127.0.0.1:0"))
                        .config(secured("two", "trust"))
                        .start();
                DXNet deceived =
                        node(3, secured("two", "trust"), impostor.nodeMap().address(2))) {
            assertThatThrownBy(() -> send(deceived, 666))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("can't be trusted");
        }
        try (DXNet plain = DXNet.builder(new NodeMap(1).put(1, "127.0.0.1:0"))
                        .config(basis().build())
                        .start();
                DXNet deceived =
                        node(2, secured("two", "trust"), plain.nodeMap().address(1))) {
            assertThatThrownBy(() -> send(deceived, 666)).isInstanceOf(NodeUnreachableException.class);
        }
    }

    @Test
    void shouldRefuseARevokedCertificateWhenItsAuthorityIsTrustedNoMore() throws Exception {
        shouldStillWork();
        keys.install("trust", "changing");
        try (DXNet node = DXNet.builder(new NodeMap(1).put(1, "127.0.0.1:0"))
                .config(secured("one", "changing"))
                .on(NUMBER, (number, from) -> received.add(number.number()))
                .start()) {
            try (DXNet good = node(2, secured("two", "both"), node.nodeMap().address(1))) {
                send(good, 43);
            }
            keys.install("next", "changing");
            node.reloadSecurity();
            try (DXNet revoked = node(2, secured("two", "both"), node.nodeMap().address(1))) {
                assertThatThrownBy(() -> send(revoked, 666)).isInstanceOf(NodeUnreachableException.class);
            }
            try (DXNet renewed =
                    node(2, secured("nextTwo", "both"), node.nodeMap().address(1))) {
                send(renewed, 44);
            }
        }
        assertThat(received).containsExactly(42L, 43L, 44L);
    }

    @Test
    void shouldReportALossWhenTheChannelsAreCutWithoutTheirEnd() throws Exception {
        try (Middle middle = new Middle(address());
                DXNet node = node(2, secured("two", "trust"), Ports.resolved(middle.address()))) {
            send(node, 1);
            middle.cutNow();
            Disconnect end = ends.poll(20, TimeUnit.SECONDS);
            assertThat(end).isNotNull();
            assertThat(end.reason()).isEqualTo(Disconnect.Reason.LOST);
        }
        assertThat(received).containsExactly(1L);
    }

    @Test
    void shouldReportALossWhenGarbageFollowsTheHandshake() throws Exception {
        byte[] garbage = new byte[100];
        new Random(1).nextBytes(garbage);
        try (Middle middle = new Middle(address());
                DXNet node = node(2, secured("two", "trust"), Ports.resolved(middle.address()))) {
            send(node, 1);
            middle.insertNow(garbage);
            assertThat(ends.poll(20, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(received).containsExactly(1L);
    }

    /** Node 0 keeps one connection, so each turn has a handshake, while all certificates change. */
    @Test
    void shouldLoseNothingWhenCertificatesChangeUnderTraffic() throws Exception {
        String[][] steps = {
            {"ca", "trust"}, {"ca", "both"}, {"stranger", "both"}, {"stranger", "next"},
        };
        for (int id = 0; id < 3; id++) {
            keys.node("of-ca-" + id, "ca", id);
            keys.node("of-stranger-" + id, "stranger", id);
        }
        List<List<Long>> numbers = List.of(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        for (int id = 0; id < 3; id++) {
            install(id, steps[0]);
        }
        NodeMap nodes = new NodeMap(0).put(0, "127.0.0.1:0");
        try (DXNet one = receiver(1, numbers.get(0));
                DXNet two = receiver(2, numbers.get(1));
                DXNet zero = DXNet.builder(nodes.put(1, one.nodeMap().address(1))
                                .put(2, two.nodeMap().address(2)))
                        .config(keys.configure(basis().maxConnections(1), "live-0", "trust-0")
                                .build())
                        .start()) {
            long next = 0;
            DXNet[] all = {one, zero, two};
            int[] ids = {1, 0, 2};
            for (String[] step : steps) {
                for (int i = 0; i < all.length; i++) {
                    install(ids[i], step);
                    all[i].reloadSecurity();
                    for (int turn = 0; turn < 4; turn++) {
                        for (int count = 0; count < 50; count++) {
                            zero.send(1 + turn % 2, NUMBER, new Number(next++));
                        }
                    }
                }
            }
            zero.whenHandled(1).get(20, TimeUnit.SECONDS);
            zero.whenHandled(2).get(20, TimeUnit.SECONDS);
            assertThat(numbers.get(0).size() + numbers.get(1).size()).isEqualTo((int) next);
            for (List<Long> each : numbers) {
                assertThat(each).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    private static void install(int id, String[] step) {
        keys.install("of-" + step[0] + "-" + id, "live-" + id);
        keys.install(step[1], "trust-" + id);
    }

    private DXNet receiver(int id, List<Long> numbers) {
        return DXNet.builder(new NodeMap(id).put(id, "127.0.0.1:0"))
                .config(secured("live-" + id, "trust-" + id))
                .on(NUMBER.ordered(), (number, from) -> numbers.add(number.number()))
                .start();
    }
}
