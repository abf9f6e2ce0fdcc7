package io.dxnet.softhca;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The few functions of libc that the device needs. They make descriptors that
 * {@code poll(2)} can wait for and zeroed memory that costs nothing until it
 * is touched, and check that memory to be registered is mapped.
 */
@SuppressWarnings("restricted")
final class LibC {
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int POLLIN = 1;
    private static final int MADV_POPULATE_READ = 22;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final long PAGE = 4096;

    /** Ranges that are larger are not touched when they are registered. */
    private static final long LARGE = 256L << 20;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALLOC = find("calloc", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FREE =
            LINKER.downcallHandle(symbol("free"), FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle EVENTFD = find("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = find("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = find("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = find("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle POLL = find("poll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FCNTL = LINKER.downcallHandle(
            symbol("fcntl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle MADVISE = find("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MINCORE = find("mincore", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ERRNO_LOCATION = find("__errno_location", JAVA_LONG);

    /** Eight bytes that hold a 1, and eight to read into. */
    private static final long ONE = calloc(16);

    static {
        Memory.putLong(ONE, 1);
    }

    /** Whether this kernel (5.14 and newer) can report whether pages are present and writable. */
    private static final boolean CAN_POPULATE = madvise(calloc(2 * PAGE), 1, MADV_POPULATE_READ) == 0;

    private LibC() {}

    private static MemorySegment symbol(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("the C library has no " + name
                        + ": the software RDMA device runs on Linux with glibc or musl only"));
    }

    private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(symbol(name), FunctionDescriptor.of(result, arguments));
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a downcall threw", thrown);
    }

    /** Zeroed memory; never null. */
    static long calloc(long bytes) {
        long address;
        try {
            address = (long) CALLOC.invokeExact(1L, bytes);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
        if (address == 0) {
            throw new VerbError(Ibv.ENOMEM);
        }
        return address;
    }

    static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** The address of a function of libc. */
    static MemorySegment function(String name) {
        return symbol(name);
    }

    /**
     * Makes a descriptor that is readable while it has been raised and not lowered. Like the
     * kernel's, it blocks until the application makes it non-blocking.
     */
    static int eventDescriptor() {
        int fd;
        try {
            fd = (int) EVENTFD.invokeExact(0, EFD_CLOEXEC);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
        if (fd < 0) {
            throw new VerbError(Ibv.EMFILE);
        }
        return fd;
    }

    static void setNonBlocking(int fd) {
        try {
            int ignored = (int) FCNTL.invokeExact(fd, F_SETFL, (long) O_NONBLOCK);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /** Makes an event descriptor readable. */
    static void raise(int fd) {
        try {
            long ignored = (long) WRITE.invokeExact(fd, ONE, 8L);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /**
     * Makes a raised event descriptor unreadable again. On a
     * lowered one, only where it does not block: that would wait.
     */
    static void lower(int fd) {
        try {
            long ignored = (long) READ.invokeExact(fd, ONE + 8, 8L);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static boolean isNonBlocking(int fd) {
        try {
            return ((int) FCNTL.invokeExact(fd, F_GETFL, 0L) & O_NONBLOCK) != 0;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /**
     * Waits until the descriptor is readable or the time
     * is over; {@code timeoutMs} -1 waits for ever.
     */
    static boolean awaitReadable(int fd, int timeoutMs) {
        long request = calloc(8);
        try {
            Memory.putInt(request, fd);
            Memory.putShort(request + 4, POLLIN);
            return (int) POLL.invokeExact(request, 1L, timeoutMs) > 0;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        } finally {
            free(request);
        }
    }

    /**
     * Sets the calling thread's {@code errno}, which lasts
     * if the JVM calls nothing on the way back to C.
     */
    static void setErrno(int errno) {
        try {
            Memory.putInt((long) ERRNO_LOCATION.invokeExact(), errno);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /**
     * Whether all pages of the range are mapped, and also writable where
     * {@code write} is set. As pinning does, it touches them, but not those of a
     * very large range, where it only checks whether they are mapped.
     */
    static boolean isMapped(long address, long bytes, boolean write) {
        if (bytes > LARGE) {
            return isResidentOrNot(address, bytes);
        }
        return !CAN_POPULATE || madvise(address, bytes, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0;
    }

    /** {@code mincore} fails where nothing is mapped. */
    private static boolean isResidentOrNot(long address, long bytes) {
        long answers = calloc(LARGE / PAGE);
        long end = address + bytes;
        try {
            for (long at = address & -PAGE; at < end; at += LARGE) {
                if ((int) MINCORE.invokeExact(at, Math.min(LARGE, end - at), answers) != 0) {
                    return false;
                }
            }
            return true;
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        } finally {
            free(answers);
        }
    }

    private static int madvise(long address, long bytes, int advice) {
        long start = address & -PAGE;
        try {
            return (int) MADVISE.invokeExact(start, address - start + bytes, advice);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
