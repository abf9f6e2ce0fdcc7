package io.dxnet.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShmOptionsTest {
    @Test
    void shouldHaveDefaultsWhenNothingIsSet() {
        ShmOptions options = ShmOptions.from(Map.of("nio.lingerMs", "1"));
        assertThat(options.directory()).isEqualTo(Path.of("/dev/shm"));
        assertThat(options.ringBytes()).isEqualTo(1 << 20);
        assertThat(options.lingerMs()).isEqualTo(1000);
        assertThat(options.acceptor().backlog()).isEqualTo(1024);
    }

    @Test
    void shouldReadEachKey() {
        ShmOptions options = ShmOptions.from(Map.of(
                "shm.directory", "/run/memory", "shm.ringBytes", "64K", "shm.lingerMs", "5", "shm.backlog", "7"));
        assertThat(options.directory()).isEqualTo(Path.of("/run/memory"));
        assertThat(options.ringBytes()).isEqualTo(64 << 10);
        assertThat(options.lingerMs()).isEqualTo(5);
        assertThat(options.acceptor().backlog()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "ringBytes, 4095",
        "ringBytes, 5000",
        "ringBytes, 2G",
        "lingerMs, 60001",
        "directory, memory",
        "directory, ''",
        "socketBufferBytes, 1"
    })
    void shouldNameTheKeyWhenAValueIsNotAllowed(String key, String value) {
        assertThatThrownBy(() -> ShmOptions.from(Map.of("shm." + key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("shm." + key);
    }

    @Test
    void shouldReportWhyItCannotRunWhenThereIsNoFolder() {
        DXNetConfig config = DXNetConfig.builder()
                .transportOption("shm.directory", "/nowhere/at/all")
                .build();
        assertThat(new ShmTransportProvider().unavailabilityCause(config))
                .hasValueSatisfying(cause -> assertThat(cause).contains("/nowhere/at/all", "shm.directory"));
        assertThat(new ShmTransportProvider().preference()).isNegative();
    }
}
