package io.dxnet.softhca;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls the device as C does: by exported name or by function pointer, pointers as
 * {@code long}. Slow, for tests.
 */
@SuppressWarnings("restricted")
final class C {
    private static final SoftVerbsProvider PROVIDER = new SoftVerbsProvider();
    private static final Map<FunctionDescriptor, MethodHandle> HANDLES = new ConcurrentHashMap<>();

    private C() {}

    static long symbol(String name) {
        return PROVIDER.symbols()
                .find(name)
                .orElseThrow(() -> new AssertionError("no " + name))
                .address();
    }

    /** The error number after a call that failed. */
    static int errno() {
        return PROVIDER.errno(0);
    }

    static long pointer(String name, Object... arguments) {
        return (long) call(symbol(name), JAVA_LONG, arguments);
    }

    static int status(String name, Object... arguments) {
        return (int) call(symbol(name), JAVA_INT, arguments);
    }

    static void run(String name, Object... arguments) {
        call(symbol(name), null, arguments);
    }

    static int status(long function, Object... arguments) {
        return (int) call(function, JAVA_INT, arguments);
    }

    static long pointer(long function, Object... arguments) {
        return (long) call(function, JAVA_LONG, arguments);
    }

    private static Object call(long function, MemoryLayout result, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            layouts[i] = switch (arguments[i]) {
                case Long _ -> JAVA_LONG;
                case Integer _ -> JAVA_INT;
                case Byte _ -> JAVA_BYTE;
                case Short _ -> JAVA_SHORT;
                default -> throw new AssertionError(arguments[i]);
            };
        }
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(result, layouts);
        MethodHandle handle =
                HANDLES.computeIfAbsent(descriptor, d -> Linker.nativeLinker().downcallHandle(d));
        Object[] all = new Object[arguments.length + 1];
        all[0] = MemorySegment.ofAddress(function);
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return handle.invokeWithArguments(all);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
