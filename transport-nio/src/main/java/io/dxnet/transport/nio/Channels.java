package io.dxnet.transport.nio;

import java.io.Closeable;
import java.io.IOException;

/** Closing what may be broken already. */
final class Channels {
    private Channels() {}

    /** Closes; what goes wrong with that is of no use to anybody. */
    static void closeQuietly(Closeable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (IOException e) {
                // the descriptor is freed in any case
            }
        }
    }

    /** What went wrong, in words. */
    static String describe(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
