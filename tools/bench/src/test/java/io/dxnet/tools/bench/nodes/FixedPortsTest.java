package io.dxnet.tools.bench.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FixedPortsTest {
    private static final int NODES = 500;

    @BeforeAll
    static void thereArePortsBelowTheKernels() throws IOException {
        assumeTrue(
                FixedPorts.ephemeralBegin() - FixedPorts.MIN >= FixedPorts.RANGE_MIN,
                "the kernel of this machine chooses from nearly all ports");
    }

    @Test
    void shouldGiveNoPortTwice() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int node = 0; node < NODES; node++) {
            ports.add(FixedPorts.next(InetAddress.getLoopbackAddress()));
        }
        assertThat(ports).hasSize(NODES);
    }

    @Test
    void shouldGiveNoPortThatTheKernelGives() throws IOException {
        for (int node = 0; node < NODES; node++) {
            assertThat(FixedPorts.next(InetAddress.getLoopbackAddress()))
                    .isBetween(FixedPorts.MIN, FixedPorts.ephemeralBegin() - 1);
        }
        try (ServerSocket ofTheKernel = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ofTheKernel.getLocalPort()).isGreaterThanOrEqualTo(FixedPorts.ephemeralBegin());
        }
    }

    @Test
    void shouldReportAnAddressOfAnotherMachine() throws IOException {
        InetAddress documentation = InetAddress.getByName("192.0.2.1");
        assertThatThrownBy(() -> FixedPorts.next(documentation))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("192.0.2.1");
    }
}
