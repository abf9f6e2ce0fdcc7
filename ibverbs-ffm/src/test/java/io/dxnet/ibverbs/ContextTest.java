package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ibverbs.raw.verbs_h;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a context refuses before it asks the device. */
class ContextTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 256, 257, Integer.MIN_VALUE})
    @DisplayName("a port number without 8 bits is no port, not another one")
    void shouldRefusePort(int port) {
        try (FakeDriver driver = new FakeDriver();
                Context context = driver.open()) {
            assertNoPort(port, () -> context.port(port));
            assertNoPort(port, () -> context.pkey(port, 0));
            assertNoPort(port, () -> context.gid(port, 0));
            assertNoPort(port, () -> context.gids(port));
            assertThat(driver.calls("ibv_query_port")).isZero();
            assertThatCode(() -> context.pkey(255, 0)).doesNotThrowAnyException();
        }
    }

    private static void assertNoPort(int port, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(verbs_h.EINVAL()))
                .hasMessageContaining("fake0 has no port " + port);
    }
}
