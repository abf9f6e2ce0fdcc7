package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.contract.Ports;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.softhca.SoftHca;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transport that can't be made, whatever step fails: nothing of it is left, on
 * the device or in this process.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConstructionTest {
    private static final int ENOMEM = 12;
    private static final long POOL_BYTES = 16L << 20;

    private final SoftFaults faults = SoftFaults.of(IbNodes.DEVICE);
    private final List<String> addresses = Ports.addresses(1);

    @BeforeEach
    void software() {
        IbNodes.assumeSoftware();
        make(settings()).close(); // loads what stays
    }

    @AfterEach
    void heal() {
        faults.clear();
    }

    private static DXNetConfig.Builder settings() {
        return IbNodes.tiny(DXNetConfig.builder()).transportOption("ib.receivePoolBytes", "" + POOL_BYTES);
    }

    private FakeEngine make(DXNetConfig.Builder settings) {
        return new FakeEngine(settings, Ports.map(0, addresses));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long residentBytes() throws IOException {
        return 4096
                * Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]);
    }

    /** Fails the first call, then the second one, and so on, until all succeed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ibv_query_device",
                "ibv_query_port",
                "ibv_alloc_pd",
                "ibv_reg_mr",
                "ibv_create_srq",
                "ibv_create_comp_channel",
                "ibv_create_cq"
            })
    void shouldLeaveNothing(String verb) throws Exception {
        DXNetConfig.Builder settings = settings().transportOption("ib.sendEndpoints", "3");
        SoftHca.Census before = SoftHca.census();
        long descriptors = descriptors();
        int failed = 0;
        for (boolean made = false; !made; ) {
            faults.failCalls(verb, ENOMEM, failed, 1);
            try (FakeEngine all = make(settings)) {
                made = all != null;
            } catch (ConfigurationException e) {
                failed++;
                assertThat(e).hasMessageContaining(verb);
            }
            faults.clear();
            assertThat(SoftHca.census()).as("after failure %d", failed).isEqualTo(before);
            assertThat(descriptors()).as("after failure %d", failed).isEqualTo(descriptors);
        }
        assertThat(failed).as("failures").isPositive();
    }

    /** The receive pool is there when a later step fails. */
    @Test
    void shouldFreeTheMemory() throws Exception {
        int count = 40;
        long before = residentBytes();
        for (int i = 0; i < count; i++) {
            faults.failNextCalls("ibv_create_srq", ENOMEM, 1);
            assertThatThrownBy(() -> make(settings())).isInstanceOf(ConfigurationException.class);
        }
        assertThat(residentBytes() - before).isLessThan(count * POOL_BYTES / 2);
    }

    @Test
    void shouldSayWhyAlthoughTheDeviceCannotBeClosedEither() {
        faults.failNextCalls("ibv_create_srq", ENOMEM, 1);
        faults.failNextCalls("ibv_dealloc_pd", ENOMEM, 1);
        assertThatThrownBy(() -> make(settings()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("ibv_create_srq");
    }
}
