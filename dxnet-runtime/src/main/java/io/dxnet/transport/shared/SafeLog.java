package io.dxnet.transport.shared;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs the errors that a thread survives. */
public final class SafeLog {
    private SafeLog() {}

    /**
     * Logs an error; where that fails too, as on a full heap, the thread continues.
     *
     * @param log the log
     * @param what was done, a constant: the heap may be full
     * @param error what was thrown
     */
    public static void error(Logger log, String what, Throwable error) {
        try {
            log.log(Level.ERROR, what, error);
        } catch (Throwable _) {
            // Nothing is left to report it with.
        }
    }

    /**
     * The same with a text that is made here, where making it may fail too.
     *
     * @param log the log
     * @param what was done
     * @param of the rest of the text
     * @param error what was thrown
     */
    public static void error(Logger log, String what, String of, Throwable error) {
        try {
            log.log(Level.ERROR, what + of, error);
        } catch (Throwable _) {
            // As above.
        }
    }
}
