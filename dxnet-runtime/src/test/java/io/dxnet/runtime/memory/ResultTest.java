package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetException;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.OnceFullFuture;
import io.dxnet.runtime.thread.Completions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ResultTest {
    @Test
    void shouldCompleteAFutureThatHadNoMemory() {
        Completions completions = new Completions("test-completer", (what, error) -> {});
        CompletableFuture<long[]> future = new OnceFullFuture<>();
        Result result = new Result(new Failures(0, "region"), future, completions);
        result.begin(1);
        result.failed(new DXNetException("lost"));
        Cluster.await("the future", () -> {
            completions.tick();
            return future.isDone();
        });
        assertThatThrownBy(future::join).hasRootCauseMessage("lost");
        assertThat(result.mayRepeat()).isFalse();
    }
}
