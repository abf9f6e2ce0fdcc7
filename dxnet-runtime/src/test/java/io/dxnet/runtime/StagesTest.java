package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.ThreadingLayout;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.connect.RingMemory;
import io.dxnet.runtime.handle.TypeRegistry;
import io.dxnet.runtime.receive.IncomingBufferQueue;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** In the fused layout the thread of the stages sleeps where its transport does. */
class StagesTest {
    private static final EngineThread.Errors ERRORS = (what, error) -> {
        throw new AssertionError(what, error);
    };

    private final DXNetConfig config = DXNetConfig.builder()
            .threadingLayout(ThreadingLayout.FUSED)
            .ringBytes(32 << 10)
            .build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final ControlAgent control = new ControlAgent(0, requests, ERRORS);
    private final ConnectionManager connections =
            new ConnectionManager(config, new NodeMap(0), 8, 1, new RingMemory(config.ringBytes()), requests, control);
    private final AtomicInteger wakeups = new AtomicInteger();

    private Stages stages() {
        Supplier<?> wakeup = wakeups::incrementAndGet;
        Agent agent = Stub.of(Agent.class, Map.of("wakeup", wakeup));
        Supplier<?> agents = () -> List.of(agent);
        return new Stages(
                config,
                0,
                1,
                new IncomingBufferPool(config),
                new IncomingBufferQueue(64, 1 << 20),
                new TypeRegistry(1),
                requests,
                Stub.of(Transport.class, Map.of("agents", agents)),
                new IdleStrategies(config),
                connections,
                control,
                null,
                new Completions("test-completer", ERRORS),
                ERRORS);
    }

    @Test
    void shouldWakeTheTransportForWhatItReceived() {
        stages().received();
        assertThat(wakeups).hasValue(1);
    }

    /** Half a message of it may hold the memory of the buffers that it came in. */
    @Test
    void shouldWakeTheTransportForAConnectionThatEnded() throws Exception {
        stages().ended(connections.connectionTo(1));
        assertThat(wakeups).hasValue(1);
    }
}
