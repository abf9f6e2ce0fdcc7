package io.dxnet.softhca;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The system calls of an {@link UdpSocket}. They return what the kernel returns, or the negated
 * error number.
 */
@SuppressWarnings("restricted")
final class UdpCalls {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int POLLIN = 1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final long ERRNO_AT =
            Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = find("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = find("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SETSOCKOPT =
            find("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            find("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SENDMSG = find("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVMSG = find("recvmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle POLL = find("poll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

    /** Where each thread's error number is written. */
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private UdpCalls() {}

    private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(LibC.function(name), FunctionDescriptor.of(result, arguments), ERRNO);
    }

    private static int error(MemorySegment state) {
        return -state.get(ValueLayout.JAVA_INT, ERRNO_AT);
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a downcall threw", thrown);
    }

    /** Makes a socket of IPv4 and UDP. */
    static int socket() {
        MemorySegment state = STATE.get();
        try {
            int fd = (int) SOCKET.invokeExact(state, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
            return fd < 0 ? error(state) : fd;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int bind(int fd, int address, int port) {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocate(MessageHeader.NAME_BYTES, Long.BYTES).address();
            MessageHeader.writeName(name, address, port);
            int result = (int) BIND.invokeExact(state, fd, name, MessageHeader.NAME_BYTES);
            return result < 0 ? error(state) : result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int setOption(int fd, int level, int option, int value) {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            int result =
                    (int) SETSOCKOPT.invokeExact(state, fd, level, option, memory.address(), (int) memory.byteSize());
            return result < 0 ? error(state) : result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** The value of an option that is not negative. */
    static int option(int fd, int level, int option) {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ValueLayout.JAVA_INT, 2);
            memory.setAtIndex(ValueLayout.JAVA_INT, 1, Integer.BYTES);
            int result = (int) GETSOCKOPT.invokeExact(
                    state, fd, level, option, memory.address(), memory.address() + Integer.BYTES);
            return result < 0 ? error(state) : memory.get(ValueLayout.JAVA_INT, 0);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Sends without waiting; {@code message} is the address of a {@code msghdr}. */
    static int send(int fd, long message) {
        MemorySegment state = STATE.get();
        try {
            long result = (long) SENDMSG.invokeExact(state, fd, message, MSG_DONTWAIT);
            return result < 0 ? error(state) : (int) result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Receives without waiting; {@code message} is the address of a {@code msghdr}. */
    static int receive(int fd, long message) {
        MemorySegment state = STATE.get();
        try {
            long result = (long) RECVMSG.invokeExact(state, fd, message, MSG_DONTWAIT);
            return result < 0 ? error(state) : (int) result;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Waits until one of two descriptors is readable; {@code timeoutMs} -1 waits for ever. */
    static void awaitReadable(int first, int second, int timeoutMs) {
        MemorySegment state = STATE.get();
        try (Arena arena = Arena.ofConfined()) {
            long requests = arena.allocate(2L * Long.BYTES, Long.BYTES).address();
            Memory.putInt(requests, first);
            Memory.putShort(requests + 4, POLLIN);
            Memory.putInt(requests + 8, second);
            Memory.putShort(requests + 12, POLLIN);
            int ignored = (int) POLL.invokeExact(state, requests, 2L, timeoutMs);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
