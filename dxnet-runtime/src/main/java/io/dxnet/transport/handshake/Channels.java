package io.dxnet.transport.handshake;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Closing what may be broken already. */
public final class Channels {
    private Channels() {}

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
     * {@return what failed, in words: the error's message, or its class where it has none}
     *
     * @param e the error
     */
    public static String describe(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
