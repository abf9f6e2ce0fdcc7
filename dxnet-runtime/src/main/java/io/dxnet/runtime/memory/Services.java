package io.dxnet.runtime.memory;

import io.dxnet.runtime.connect.Readiness;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.send.Connections;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.memory.OneSidedMemory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What remote memory uses of the engine.
 *
 * @param oneSided the transport's one-sided access, when it runs; returns null where messages carry
 *     operations
 */
public record Services(
        Sender sender,
        Requester requester,
        Connections connections,
        Completions completions,
        IdleStrategies strategies,
        Readiness readiness,
        EngineThread.Errors errors,
        Supplier<@Nullable OneSidedMemory> oneSided) {}
