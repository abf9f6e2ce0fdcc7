package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;

/**
 * One C function of the control path, with pointers and numbers as {@code long}. A call allocates;
 * the data path has {@link NormalCalls} and {@link CriticalCalls}. Any thread may call.
 */
final class NativeFunction {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** Where {@code errno} is in the memory that a call captures it into. */
    static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final String name;
    private final VerbsProvider provider;
    private final MemorySegment address;
    private final VerbsCalls calls; // null: the handle
    private final boolean intResult;
    /** (capture state, arguments) → result; null where {@code calls} is not. */
    private final MethodHandle handle;

    NativeFunction(
            VerbsProvider provider,
            VerbsCalls calls,
            String name,
            MemorySegment address,
            FunctionDescriptor descriptor) {
        this.name = name;
        this.provider = provider;
        this.address = address;
        this.calls = calls;
        this.intResult = descriptor
                .returnLayout()
                .filter(ValueLayout.OfInt.class::isInstance)
                .isPresent();
        this.handle = calls == null ? handle(address, descriptor) : null;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(MemorySegment address, FunctionDescriptor descriptor) {
        MethodHandle exact = Linker.nativeLinker()
                .downcallHandle(address, pointersAsLongs(descriptor), Linker.Option.captureCallState("errno"));
        int arguments = exact.type().parameterCount() - 1;
        MethodType allLongs = MethodType.methodType(
                        long.class, java.util.Collections.nCopies(arguments, (Class<?>) long.class))
                .insertParameterTypes(0, MemorySegment.class);
        return MethodHandles.explicitCastArguments(exact, allLongs).asSpreader(long[].class, arguments);
    }

    /**
     * The same function with addresses as {@code long}: the JVM needs not make a segment of each.
     */
    static FunctionDescriptor pointersAsLongs(FunctionDescriptor descriptor) {
        MemoryLayout[] arguments = descriptor.argumentLayouts().stream()
                .map(NativeFunction::pointerAsLong)
                .toArray(MemoryLayout[]::new);
        return descriptor
                .returnLayout()
                .map(result -> FunctionDescriptor.of(pointerAsLong(result), arguments))
                .orElseGet(() -> FunctionDescriptor.ofVoid(arguments));
    }

    private static MemoryLayout pointerAsLong(MemoryLayout layout) {
        return layout instanceof AddressLayout ? ValueLayout.JAVA_LONG : layout;
    }

    String name() {
        return name;
    }

    /** Where it is, for callers with a way of their own. */
    MemorySegment address() {
        return address;
    }

    /** Calls a function that cannot fail. */
    long call(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            return invoke(arena.allocate(STATE), arguments);
        }
    }

    /** Calls a function that returns a pointer, or null and sets {@code errno}. */
    long pointer(IntFunction<String> whatToDo, long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long pointer = invoke(state, arguments);
            if (pointer == 0) {
                throw failure(errno(state), whatToDo);
            }
            return pointer;
        }
    }

    /**
     * Calls a function that returns 0 or an error number; some versions return -1
     * and set {@code errno} instead.
     */
    void status(IntFunction<String> whatToDo, long... arguments) {
        int errno = errnoOf(arguments);
        if (errno != 0) {
            throw failure(errno, whatToDo);
        }
    }

    /** As {@link #status}, but returns the error number (0 for success) instead of throwing. */
    int errnoOf(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = invoke(state, arguments);
            if (result == -1) {
                return errno(state);
            }
            return (int) Math.abs(result);
        }
    }

    /** What a call returned, and {@code errno} right after it. */
    record Outcome(long result, int errno) {}

    /** Calls a function with results of its own that sets {@code errno} where it fails. */
    Outcome outcome(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = invoke(state, arguments);
            return new Outcome(result, result == 0 ? 0 : errno(state));
        }
    }

    VerbsException failure(int errno, IntFunction<String> whatToDo) {
        return new VerbsException(name, errno, whatToDo.apply(errno));
    }

    private int errno(MemorySegment state) {
        return provider.errno((int) ERRNO.get(state, 0L));
    }

    private long invoke(MemorySegment state, long[] arguments) {
        if (calls != null) {
            return callByAddress(state, arguments);
        }
        try {
            return (long) handle.invokeExact(state, arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(name, e);
        }
    }

    private long callByAddress(MemorySegment state, long[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocateFrom(ValueLayout.JAVA_LONG, arguments).address();
            long result = calls.call(address.address(), memory, arguments.length, state.address() + ERRNO_OFFSET);
            return intResult ? (int) result : result;
        }
    }
}
