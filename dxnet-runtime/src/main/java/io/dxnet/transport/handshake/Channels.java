package io.dxnet.transport.handshake;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens selectors, and closes what may be broken already. */
public final class Channels {
    private static final long JOIN_MS = 5000;
    private static final int DESCRIPTION_CHARACTERS_MAX = 512;

    private Channels() {}

    /**
     * Opens a selector.
     *
     * @return open
     * @throws UncheckedIOException where the system has none left
     */
    public static Selector openSelector() {
        try {
            return Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("can't open a selector: " + describe(e), e);
        }
    }

    /**
     * Waits for the end of a thread that was asked to end: 5 s at most, also where it never ran.
     *
     * @param thread that selects
     * @return whether the calling thread was interrupted meanwhile, which its flag does not show
     */
    public static boolean awaitEnd(Thread thread) {
        boolean interrupted = false;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MS);
        while (true) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                return interrupted;
            }
            try {
                thread.join(leftMs);
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true; // the caller frees what the thread uses: its end comes first
            }
        }
    }

    /**
     * Closes; a failure of that is of no use to any caller.
     *
     * @param closeable null is possible
     */
    public static void closeQuietly(@Nullable Closeable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (IOException e) {
                // the descriptor is freed in any case
            }
        }
    }

    /**
     * {@return what failed and why} For a failure that is recorded in any case: where there is no
     * memory for the reason, it is left out.
     *
     * @param what failed, in words
     * @param e the reason
     */
    public static String failed(String what, Throwable e) {
        try {
            return what + ": " + reason(e);
        } catch (OutOfMemoryError _) {
            return what;
        }
    }

    /**
     * {@return why something failed} As {@link #failed}, it has a text in any case.
     *
     * @param e the reason
     */
    public static String reason(Throwable e) {
        try {
            return e instanceof IOException io ? describe(io) : e.toString();
        } catch (OutOfMemoryError _) {
            return "there is no memory for the reason";
        }
    }

    /**
     * {@return what failed, in words: the error's message, or its class where it has none} One line
     * of at most {@value #DESCRIPTION_CHARACTERS_MAX} characters, all of which can be printed: what
     * another node sent may be a part of it.
     *
     * @param e the error
     */
    public static String describe(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : Hello.printable(message, DESCRIPTION_CHARACTERS_MAX);
    }
}
