package io.dxnet.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few functions of libc that waiting for events needs. Numbers are those
 * of Linux on amd64 and aarch64.
 */
@SuppressWarnings("restricted")
final class Posix {
    static final int POLLIN = 1;
    private static final int EINTR = 4;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | O_NONBLOCK;
    private static final int RLIMIT_MEMLOCK = 8;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** {@code (fds, count, timeout) int}. */
    private static final MethodHandle POLL = withoutErrno("poll", FunctionDescriptor.of(INT, LONG, LONG, INT));

    /** {@code (state, fds, count, timeout) int}: capturing allocates until it is compiled. */
    private static final MethodHandle POLL_OR_SAY_WHY = handle("poll", FunctionDescriptor.of(INT, LONG, LONG, INT));

    /** {@code (state, fd, command, argument) int}. */
    private static final MethodHandle FCNTL =
            handle("fcntl", FunctionDescriptor.of(INT, INT, INT, INT), Linker.Option.firstVariadicArg(2));

    /** {@code (state, initial, flags) int}. */
    private static final MethodHandle EVENTFD = handle("eventfd", FunctionDescriptor.of(INT, INT, INT));

    /** {@code (fd, buffer, size) long}; why it failed does not matter here. */
    private static final MethodHandle READ = withoutErrno("read", FunctionDescriptor.of(LONG, INT, LONG, LONG));

    /** {@code (fd, buffer, size) long}. */
    private static final MethodHandle WRITE = withoutErrno("write", FunctionDescriptor.of(LONG, INT, LONG, LONG));

    /** What {@link #signal} writes. */
    private static final MemorySegment ONE = Arena.global().allocateFrom(LONG, 1L);

    /** Where {@link #drain} reads to: its content is not used. */
    private static final MemorySegment IGNORED = Arena.global().allocate(LONG);

    /** {@code (state, fd) int}. */
    private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(INT, INT));

    /** {@code (state, resource, limit) int}. */
    private static final MethodHandle GETRLIMIT = handle("getrlimit", FunctionDescriptor.of(INT, INT, LONG));

    private Posix() {}

    private static MethodHandle withoutErrno(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(address(name), descriptor);
    }

    private static MemorySegment address(String name) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new AssertionError("libc has no " + name));
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker.Option[] all = java.util.Arrays.copyOf(options, options.length + 1);
        all[options.length] = Linker.Option.captureCallState("errno");
        return Linker.nativeLinker().downcallHandle(address(name), descriptor, all);
    }

    /**
     * What {@code poll(2)} needs for a descriptor of events and for one of its own, which wakes
     * the waiting thread; one thread at a time.
     */
    static final class PollSet {
        private static final int BYTES = 8;

        private final MemorySegment memory;
        private final MemorySegment state;
        private final int wakeFd;

        /** Makes {@code fd} non-blocking; the owner closes {@link #wakeFd}. */
        PollSet(Arena arena, int fd) {
            memory = arena.allocate(2 * BYTES, 4);
            state = arena.allocate(STATE);
            setNonBlocking(fd);
            memory.set(INT, 0, fd);
            memory.set(ValueLayout.JAVA_SHORT, 4, (short) POLLIN);
            memory.set(ValueLayout.JAVA_SHORT, BYTES + 4, (short) POLLIN);
            // The last step that can fail: a later one would lose the descriptor.
            wakeFd = eventDescriptor();
            memory.set(INT, BYTES, wakeFd);
        }

        /** The descriptor of index 1, for {@link #signal} and {@link #drain}. */
        int wakeFd() {
            return wakeFd;
        }

        /**
         * Waits until one is readable; -1 waits for ever. A signal
         * ends the wait as a time-out does.
         */
        void await(int timeoutMs) {
            try {
                int ready = (int) POLL.invokeExact(memory.address(), 2L, timeoutMs);
                if (ready < 0) {
                    ready = (int) POLL_OR_SAY_WHY.invokeExact(state, memory.address(), 2L, 0);
                }
                if (ready < 0) {
                    int errno = (int) ERRNO.get(state, 0L);
                    memory.set(ValueLayout.JAVA_SHORT, 6, (short) 0);
                    memory.set(ValueLayout.JAVA_SHORT, BYTES + 6, (short) 0);
                    if (errno != EINTR) {
                        throw new VerbsException("poll", errno, "waiting for an event");
                    }
                }
            } catch (Throwable e) {
                throw rethrow(e);
            }
        }

        boolean ready(int index) {
            return memory.get(ValueLayout.JAVA_SHORT, (long) index * BYTES + 6) != 0;
        }
    }

    private static void setNonBlocking(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int flags = (int) FCNTL.invokeExact(state, fd, F_GETFL, 0);
            int result = flags < 0 ? flags : (int) FCNTL.invokeExact(state, fd, F_SETFL, flags | O_NONBLOCK);
            check("fcntl", result, state);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** A descriptor that {@link #signal} makes readable and {@link #drain} makes silent again. */
    static int eventDescriptor() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int fd = (int) EVENTFD.invokeExact(state, 0, EFD_CLOEXEC_NONBLOCK);
            check("eventfd", fd, state);
            return fd;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    static void signal(int fd) {
        try {
            // A full counter (EAGAIN) is readable already.
            long written = (long) WRITE.invokeExact(fd, ONE.address(), 8L);
            assert written == 8 || written < 0;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    static void drain(int fd) {
        try {
            long read = (long) READ.invokeExact(fd, IGNORED.address(), 8L);
            assert read == 8 || read < 0;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    static void close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) CLOSE.invokeExact(state, fd);
            check("close", result, state);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** The bytes this process may lock, -1 for no limit. */
    static long memlockLimit() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment limit = arena.allocate(LONG, 2);
            int result = (int) GETRLIMIT.invokeExact(state, RLIMIT_MEMLOCK, limit.address());
            check("getrlimit", result, state);
            return limit.get(LONG, 0);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    private static void check(String function, int result, MemorySegment state) {
        if (result < 0) {
            throw new VerbsException(function, (int) ERRNO.get(state, 0L), "");
        }
    }

    private static RuntimeException rethrow(Throwable e) {
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
        throw new AssertionError(e);
    }
}
