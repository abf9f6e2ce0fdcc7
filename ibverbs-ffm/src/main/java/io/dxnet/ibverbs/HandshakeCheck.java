package io.dxnet.ibverbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Tests once in each JVM that closing a shared arena waits for a thread inside a critical downcall.
 * {@link Quiescence} relies on it, and no specification promises it.
 *
 * <p>A thread fills memory with one critical call of {@code memset}. As soon as a byte near the
 * beginning shows that the call runs, the checking thread closes an arena that has nothing to do
 * with that memory. If a byte is still missing then, the close did not wait. The check needs no
 * clock: it finds evidence for, evidence against, or, where the call was over too soon, none.
 */
final class HandshakeCheck {
    private static final long BYTES = 8L << 20;
    private static final int TRIES = 20;
    private static final int SAMPLES = 16;

    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    /** What was seen. */
    enum Result {
        /** The close returned after the call that was under way. */
        WAITS,
        /** The close returned before it. */
        DOES_NOT_WAIT,
        /**
         * The call was over before the close could begin, for instance on a machine with one core.
         */
        NOT_SHOWN
    }

    /** The check of this JVM, when first asked for. */
    private static final class Once {
        private static final Result RESULT = check(Quiescence::synchroniseWithAllThreads, BYTES, TRIES);
    }

    private HandshakeCheck() {}

    /**
     * Throws where this JVM was seen not to wait: with it, a
     * queue could be freed under a thread that polls it.
     *
     * @throws VerbsUnavailableException with
     *     {@link VerbsUnavailableException.Cause#UNSUPPORTED_JVM}
     */
    static void require() {
        require(Once.RESULT);
    }

    static void require(Result result) {
        if (result == Result.DOES_NOT_WAIT) {
            throw new VerbsUnavailableException(
                    VerbsUnavailableException.Cause.UNSUPPORTED_JVM,
                    System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                            + " closes a shared arena without waiting for threads inside a critical downcall, so a queue"
                            + " could be destroyed while another thread polls it: use a HotSpot JVM (OpenJDK 22 or newer)",
                    null);
        }
    }

    /**
     * Tries it.
     *
     * @param close what should wait
     * @param bytes how much one call fills: the more, the longer the call
     * @param tries how often, until there is evidence
     */
    static Result check(Runnable close, long bytes, int tries) {
        Result result = Result.NOT_SHOWN;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(bytes, 64);
            MethodHandle memset = memset();
            for (int i = 0; i < tries && result == Result.NOT_SHOWN; i++) {
                memory.fill((byte) 0);
                result = once(close, memory, memset);
            }
        }
        return result;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle memset() {
        MemorySegment address = Linker.nativeLinker()
                .defaultLookup()
                .find("memset")
                .orElseThrow(() -> new AssertionError("libc has no memset"));
        return Linker.nativeLinker()
                .downcallHandle(
                        address,
                        FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                        Linker.Option.critical(false));
    }

    private static Result once(Runnable close, MemorySegment memory, MethodHandle memset) {
        long address = memory.address();
        long bytes = memory.byteSize();
        Thread filling = Thread.ofPlatform()
                .daemon()
                .name("dxnet-handshake-check")
                .start(() -> {
                    try {
                        memset.invokeExact(address, 1, bytes);
                    } catch (Throwable e) {
                        throw NormalCalls.unexpected(e);
                    }
                });
        try {
            while (!isFilled(memory, 1) && filling.isAlive()) {
                Thread.onSpinWait();
            }
            boolean underWay = isFilled(memory, 1) && !isFilled(memory, SAMPLES - 2);
            close.run();
            // All of them: a memset may fill the end first.
            for (int sample = 1; sample < SAMPLES; sample++) {
                if (underWay && !isFilled(memory, sample)) {
                    return Result.DOES_NOT_WAIT;
                }
            }
            return underWay ? Result.WAITS : Result.NOT_SHOWN;
        } finally {
            join(filling);
        }
    }

    private static boolean isFilled(MemorySegment memory, int sample) {
        return (byte) BYTE.getOpaque(memory, memory.byteSize() / SAMPLES * sample) != 0;
    }

    /** The memory is freed afterwards: an interrupt must not end the wait. */
    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
