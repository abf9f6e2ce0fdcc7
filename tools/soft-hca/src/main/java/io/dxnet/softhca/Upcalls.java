package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.raw.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The C side of the device: one upcall stub for every function. In the classes of verbs,
 * a static method that has a C function's name is that function; pointers and
 * {@code size_t} are {@code long}, {@code uint8_t} is {@code byte}. A {@link VerbError}
 * becomes the result that the function's convention defines; any other exception is
 * reported and becomes {@code EIO}. None reaches C, where it would end the JVM.
 */
@SuppressWarnings("restricted")
final class Upcalls {
    private static final System.Logger LOGGER = System.getLogger("io.dxnet.softhca");

    private static final List<Class<?>> VERBS = List.of(
            DeviceVerbs.class,
            QueryVerbs.class,
            ResourceVerbs.class,
            WindowVerbs.class,
            CompletionVerbs.class,
            ExtendedPollVerbs.class,
            QueueVerbs.class,
            AddressVerbs.class,
            NameVerbs.class);

    /**
     * Functions that return -1 and set {@code errno}; of the
     * others, those with an {@code int} return the number.
     */
    private static final Set<String> MINUS_ONE = Set.of(
            "ibv_close_device",
            "ibv_get_async_event",
            "ibv_get_cq_event",
            "ibv_get_device_index",
            "ibv_get_pkey_index",
            "ibv_init_ah_from_wc",
            "ibv_query_gid",
            "ibv_query_pkey");

    /** Verbs that {@code verbs.h} defines inline, and so without an exported function. */
    private static final Set<String> INLINE = Set.of(
            "ibv_post_send",
            "ibv_post_recv",
            "ibv_post_srq_recv",
            "ibv_req_notify_cq",
            "ibv_alloc_mw",
            "ibv_alloc_td",
            "ibv_alloc_parent_domain");

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /**
     * All stubs by name: exported functions, and the operations
     * of {@code ibv_context} and {@code verbs_context}.
     */
    private static final Map<String, MemorySegment> STUBS = makeStubs();

    /** A function of libc that does nothing and returns 0, whatever it is called with. */
    private static final long NOTHING =
            LibC.function("pthread_mutexattr_destroy").address();

    /** Finds the exported functions. */
    private static final SymbolLookup SOFT = name -> find(name, name);

    /** The same for the devices that do nothing. */
    private static final SymbolLookup IDLE =
            name -> find(name, name.equals("ibv_get_device_list") ? "idle_get_device_list" : name);

    private Upcalls() {}

    static SymbolLookup symbols(boolean idle) {
        return idle ? IDLE : SOFT;
    }

    private static Optional<MemorySegment> find(String name, String stub) {
        boolean exported = name.startsWith("ibv_") || name.startsWith("_ibv_");
        return exported ? Optional.ofNullable(STUBS.get(stub)) : Optional.empty();
    }

    /** Whether faults may name this verb. */
    static boolean canFail(String verb) {
        return STUBS.containsKey(verb) || INLINE.contains(verb);
    }

    /** Fills the function pointers of the context at {@code at}. */
    static void writeOperations(long at, boolean idle) {
        long ops = at + ibv_context.ops$offset();
        for (long slot = 0; slot < ibv_context_ops.layout().byteSize(); slot += 8) {
            Memory.putLong(ops + slot, stub("unsupported"));
        }
        Memory.putLong(ops + ibv_context_ops.alloc_mw$offset(), stub(idle ? "unsupported_object" : "alloc_mw"));
        Memory.putLong(ops + ibv_context_ops.dealloc_mw$offset(), stub(idle ? "unsupported" : "dealloc_mw"));
        Memory.putLong(ops + ibv_context_ops.poll_cq$offset(), idle ? NOTHING : stub("poll_cq"));
        Memory.putLong(ops + ibv_context_ops.req_notify_cq$offset(), idle ? NOTHING : stub("req_notify_cq"));
        Memory.putLong(ops + ibv_context_ops.post_srq_recv$offset(), idle ? NOTHING : stub("post_srq_recv"));
        Memory.putLong(ops + ibv_context_ops.post_send$offset(), idle ? NOTHING : stub("post_send"));
        Memory.putLong(ops + ibv_context_ops.post_recv$offset(), idle ? NOTHING : stub("post_recv"));
        long extended = at - verbs_context.context$offset();
        Memory.putLong(extended + verbs_context.query_port$offset(), stub("query_port"));
        Memory.putLong(extended + verbs_context.query_device_ex$offset(), stub("query_device_ex"));
        Memory.putLong(extended + verbs_context.create_cq_ex$offset(), stub("create_cq_ex"));
        Memory.putLong(extended + verbs_context.alloc_td$offset(), stub("alloc_td"));
        Memory.putLong(extended + verbs_context.dealloc_td$offset(), stub("dealloc_td"));
        Memory.putLong(extended + verbs_context.alloc_parent_domain$offset(), stub("alloc_parent_domain"));
    }

    /** The address of a function by its name here. */
    static long stub(String name) {
        return STUBS.get(name).address();
    }

    private static Map<String, MemorySegment> makeStubs() {
        Map<String, MemorySegment> stubs = new HashMap<>();
        for (Class<?> verbs : VERBS) {
            for (Method method : verbs.getDeclaredMethods()) {
                if (isVerb(method)) {
                    stubs.put(method.getName(), makeStub(guard(method.getName(), handle(method))));
                }
            }
        }
        for (Method method : DataVerbs.class.getDeclaredMethods()) {
            if (isVerb(method)) {
                stubs.put(method.getName(), makeStub(handle(method)));
            }
        }
        return stubs;
    }

    /** Verbs have C's names, with underscores. */
    private static boolean isVerb(Method method) {
        int modifiers = method.getModifiers();
        boolean named = method.getName().indexOf('_') >= 0 || method.getName().equals("unsupported");
        return Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers) && !method.isSynthetic() && named;
    }

    private static MethodHandle handle(Method method) {
        try {
            return LOOKUP.unreflect(method);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment makeStub(MethodHandle target) {
        MethodType type = target.type();
        MemoryLayout[] arguments =
                type.parameterList().stream().map(Upcalls::layout).toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = type.returnType() == void.class
                ? FunctionDescriptor.ofVoid(arguments)
                : FunctionDescriptor.of(layout(type.returnType()), arguments);
        return Linker.nativeLinker().upcallStub(target, descriptor, Arena.global());
    }

    private static MemoryLayout layout(Class<?> type) {
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        if (type == byte.class) {
            return ValueLayout.JAVA_BYTE;
        }
        if (type == short.class) {
            return ValueLayout.JAVA_SHORT;
        }
        throw new AssertionError(type);
    }

    /** Runs the deferred work after a verb, and turns what it throws into what it returns. */
    private static MethodHandle guard(String name, MethodHandle verb) {
        try {
            Class<?> result = verb.type().returnType();
            String handlerName = result == void.class
                    ? "ignore"
                    : result == long.class ? "toNull" : MINUS_ONE.contains(name) ? "toMinusOne" : "toErrno";
            MethodHandle handler = LOOKUP.findStatic(
                    Upcalls.class, handlerName, MethodType.methodType(result, String.class, Throwable.class));
            return MethodHandles.catchException(verb, Throwable.class, handler.bindTo(name));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unused")
    private static void ignore(String verb, Throwable thrown) {
        errno(verb, thrown);
    }

    @SuppressWarnings("unused")
    private static long toNull(String verb, Throwable thrown) {
        Errno.set(errno(verb, thrown));
        return 0;
    }

    @SuppressWarnings("unused")
    private static int toErrno(String verb, Throwable thrown) {
        int errno = errno(verb, thrown);
        Errno.set(errno);
        return errno;
    }

    @SuppressWarnings("unused")
    private static int toMinusOne(String verb, Throwable thrown) {
        Errno.set(errno(verb, thrown));
        return -1;
    }

    private static int errno(String verb, Throwable thrown) {
        if (thrown instanceof VerbError error) {
            return error.errno();
        }
        report(verb, thrown);
        return Ibv.EIO;
    }

    /** Logs a failure of the device itself. Throws nothing. */
    static void report(String where, Throwable thrown) {
        try {
            LOGGER.log(System.Logger.Level.ERROR, "software RDMA device: " + where + " failed", thrown);
        } catch (Throwable ignored) {
            // The log itself failed: there is no other place to report to.
        }
    }
}
