package io.dxnet.transport.handshake;

import java.io.Closeable;
import java.io.IOException;

/** Closing what may be broken already. */
public final class Channels {
    private Channels() {}

    /**
     * Closes; what goes wrong with that is of no use to anybody.
     *
     * @param closeable null is possible
     */
    public static void closeQuietly(Closeable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (IOException e) {
                // the descriptor is freed in any case
            }
        }
    }

    /**
     * What went wrong, in words.
     *
     * @param e the error
     * @return its message, or its class where it has none
     */
    public static String describe(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
