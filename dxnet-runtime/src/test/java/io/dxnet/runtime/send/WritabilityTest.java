package io.dxnet.runtime.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.thread.Completions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class WritabilityTest {
    private final List<BooleanSupplier> polled = new ArrayList<>();
    private boolean isFull = true;

    private void poll(BooleanSupplier step) {
        if (isFull) {
            isFull = false;
            throw new OutOfMemoryError("of the control thread's queue");
        }
        polled.add(step);
    }

    /** Else later callers would wait for one that the control thread does not poll. */
    @Test
    void shouldPollForALaterCallerWhereThereWasNoMemoryForTheFirst() {
        Writability writability = new Writability(
                Stub.of(Connections.class),
                this::poll,
                new Completions("test-completer", (what, error) -> {}),
                DXNetConfig.builder().build());
        assertThatThrownBy(() -> writability.of(7)).isInstanceOf(OutOfMemoryError.class);
        assertThat(writability.of(7)).isNotDone();
        assertThat(polled).hasSize(1);
        writability.of(7);
        assertThat(polled).hasSize(1);
    }
}
