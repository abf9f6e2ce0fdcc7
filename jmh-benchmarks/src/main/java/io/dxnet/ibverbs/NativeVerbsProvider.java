package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.spi.VerbsProvider;
import io.dxnet.jmh.NativeLibrary;
import io.dxnet.softhca.IdleVerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Offers one device of the software device whose hot verbs are written in C and touch what a driver
 * touches. A post reads each request, fills a queue entry and rings a doorbell; a poll writes the
 * completions that the benchmark asked for. Nothing is sent.
 */
@SuppressWarnings("restricted")
public final class NativeVerbsProvider implements VerbsProvider {
    /** An idle device that no other provider offers. */
    static final String DEVICE = "idle1";

    private final VerbsProvider device = new IdleVerbsProvider();
    private SymbolLookup symbols;

    /** Creates the provider. */
    public NativeVerbsProvider() {}

    @Override
    public String name() {
        return "benchmarks' own";
    }

    @Override
    public boolean offers(String deviceName) {
        return deviceName.equals(DEVICE) && NativeLibrary.isPresent() && device.offers(deviceName);
    }

    @Override
    public synchronized SymbolLookup symbols() {
        if (symbols == null) {
            SymbolLookup others = device.symbols();
            MemorySegment open = NativeLibrary.symbol("provider_open");
            install(others.find("ibv_open_device").orElseThrow());
            symbols = name -> name.equals("ibv_open_device") ? Optional.of(open) : others.find(name);
        }
        return symbols;
    }

    private static void install(MemorySegment realOpen) {
        long ops = ibv_context.ops$offset();
        MemorySegment offsets = Arena.global()
                .allocateFrom(
                        ValueLayout.JAVA_LONG,
                        ops + ibv_context_ops.poll_cq$offset(),
                        ops + ibv_context_ops.req_notify_cq$offset(),
                        ops + ibv_context_ops.post_srq_recv$offset(),
                        ops + ibv_context_ops.post_send$offset(),
                        ops + ibv_context_ops.post_recv$offset());
        MethodHandle install = Linker.nativeLinker()
                .downcallHandle(
                        NativeLibrary.symbol("provider_install"),
                        FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try {
            install.invokeExact(realOpen, offsets);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How many completions each poll finds from now on. */
    static void completionsPerPoll(int completions) {
        MethodHandle ready = Linker.nativeLinker()
                .downcallHandle(
                        NativeLibrary.symbol("provider_ready"), FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        try {
            ready.invokeExact(completions);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean upcalls() {
        return false;
    }

    @Override
    public int errno(int captured) {
        return device.errno(captured);
    }
}
