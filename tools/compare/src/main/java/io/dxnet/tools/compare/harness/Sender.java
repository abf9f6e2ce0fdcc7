package io.dxnet.tools.compare.harness;

import java.io.Closeable;
import java.io.IOException;

/** What one sending thread sends through. Made, used and closed by that thread. */
public interface Sender extends Closeable {
    /**
     * Sends a message.
     *
     * @param payload may be changed when this returns
     * @return false when the peer takes nothing now; then it has waited a moment, and the thread will try again
     * @throws Exception when the peer can't go on
     */
    boolean send(byte[] payload) throws Exception;

    /**
     * Sees to it that all that was sent goes out.
     *
     * @throws IOException when it does not
     */
    @Override
    default void close() throws IOException {}
}
