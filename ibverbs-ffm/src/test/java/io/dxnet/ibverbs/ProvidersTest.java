package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The errors on a machine without the library, without native access, or with another library. */
class ProvidersTest {
    private static final class Fake implements VerbsProvider {
        private final SymbolLookup symbols;

        Fake(SymbolLookup symbols) {
            this.symbols = symbols;
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public boolean offers(String deviceName) {
            return false;
        }

        @Override
        public SymbolLookup symbols() {
            if (symbols == null) {
                throw new UnsupportedOperationException("install it");
            }
            return symbols;
        }

        @Override
        public boolean upcalls() {
            return true;
        }
    }

    @Test
    @DisplayName("a missing library is answered with the packages to install")
    void shouldNameThePackages() {
        String before = System.getProperty(LibibverbsProvider.LIBRARY_PROPERTY);
        System.setProperty(LibibverbsProvider.LIBRARY_PROPERTY, "libnosuch.so.1");
        try {
            assertThatThrownBy(() -> new LibibverbsProvider().symbols())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("libnosuch.so.1")
                    .hasMessageContaining("apt-get install libibverbs1 ibverbs-providers");
        } finally {
            if (before == null) {
                System.clearProperty(LibibverbsProvider.LIBRARY_PROPERTY);
            } else {
                System.setProperty(LibibverbsProvider.LIBRARY_PROPERTY, before);
            }
        }
    }

    @Test
    @DisplayName("a provider that cannot work becomes NOT_INSTALLED with its own words")
    void shouldPassOnTheReason() {
        assertThatThrownBy(() -> Providers.library(new Fake(null)))
                .isInstanceOfSatisfying(
                        VerbsUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(VerbsUnavailableException.Cause.NOT_INSTALLED))
                .hasMessage("install it");
    }

    @Test
    @DisplayName("a library without the functions is INCOMPATIBLE, and all that is missing is named")
    void shouldNameMissingFunctions() {
        assertThatThrownBy(() -> Providers.library(new Fake(name -> Optional.empty())))
                .isInstanceOfSatisfying(
                        VerbsUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(VerbsUnavailableException.Cause.INCOMPATIBLE))
                .hasMessageContaining("ibv_get_device_list")
                .hasMessageContaining("ibv_destroy_ah");
    }

    @Test
    @DisplayName("a device that is not there is NO_DEVICE, or the library is missing; both name the device")
    void shouldExplainMissingDevice() {
        assertThatThrownBy(() -> Device.named("nosuch7"))
                .hasMessageContaining("nosuch7")
                .isInstanceOfSatisfying(
                        VerbsUnavailableException.class,
                        e -> assertThat(e.kind())
                                .isIn(
                                        VerbsUnavailableException.Cause.NO_DEVICE,
                                        VerbsUnavailableException.Cause.NOT_INSTALLED));
    }

    @Test
    @DisplayName("2: the installed libibverbs has every function this binding calls")
    void shouldFindEveryFunction() {
        LibibverbsProvider provider = new LibibverbsProvider();
        try {
            provider.symbols();
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("libibverbs is not installed: " + e.getMessage());
        }
        Library library = Providers.library(provider);
        assertThat(library.regMrIova2).isNotNull();
        assertThat(library.queryGidTable).isNotNull();
    }

    @Test
    @DisplayName("an error names its verb, its number and its name")
    void shouldDescribeErrors() {
        assertThat(new VerbsException("ibv_reg_mr", 12, "more"))
                .hasMessage("ibv_reg_mr failed: ENOMEM (12, no memory or no room in the queue): more");
        assertThat(new VerbsException("ibv_poll_cq", 0, "")).hasMessage("ibv_poll_cq failed");
        assertThat(new VerbsException("x", 9999, "")).hasMessage("x failed: errno 9999");
    }

    @Test
    @DisplayName("unknown numbers of the library become UNKNOWN, not an exception")
    void shouldTolerateUnknownNumbers() {
        assertThat(WcStatus.of(9999)).isEqualTo(WcStatus.UNKNOWN);
        assertThat(WcOpcode.of(77)).isEqualTo(WcOpcode.UNKNOWN);
        assertThat(AsyncEventType.of(77)).isEqualTo(AsyncEventType.UNKNOWN);
        for (WcStatus status : WcStatus.values()) {
            assertThat(WcStatus.of(status.code())).isEqualTo(status);
        }
    }
}
