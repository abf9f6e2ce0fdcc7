package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.ibverbs.Device;
import io.dxnet.ibverbs.VerbsUnavailableException;
import io.dxnet.transport.TransportProvider;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What {@code transport=auto} chooses by. */
class AutoTest {
    private static Optional<String> cause(DXNetConfig.Builder builder) {
        return new IbTransportProvider().unavailabilityCause(builder.build());
    }

    @Test
    void shouldBeAvailableOnADeviceThatIsNamed() {
        assertThat(cause(IbNodes.configure(DXNetConfig.builder()).transport("auto")))
                .isEmpty();
        assertThat(new IbTransportProvider().preference()).as("before TCP").isGreaterThan(10);
    }

    @Test
    void shouldSayWhyItIsNot() {
        assertThat(cause(DXNetConfig.builder().transportOption("ib.device", "nosuch0")))
                .hasValueSatisfying(text -> assertThat(text).contains("nosuch0"));
    }

    /** Another transport would carry the messages in the clear. */
    @Test
    void shouldNotBeReplacedWhereItEncrypts() {
        TransportProvider provider = new IbTransportProvider();
        assertThat(provider.irreplaceable(DXNetConfig.builder()
                        .transportOption("ib.security", "aes-gcm")
                        .build()))
                .hasValue("ib.security=aes-gcm");
        assertThat(provider.irreplaceable(DXNetConfig.builder().build())).isEmpty();
    }

    /** A software device is never chosen by itself. */
    @Test
    void shouldNotBeAvailableWithoutARealDevice() {
        boolean real;
        try {
            real = Device.list().stream().anyMatch(device -> device.provider().equals("libibverbs"));
        } catch (VerbsUnavailableException e) {
            real = false;
        }
        Assumptions.assumeFalse(real, "this machine has an RDMA device");
        assertThat(cause(DXNetConfig.builder()))
                .hasValueSatisfying(text -> assertThat(text).isNotBlank());
    }
}
