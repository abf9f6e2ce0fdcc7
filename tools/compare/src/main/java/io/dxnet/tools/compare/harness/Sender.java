package io.dxnet.tools.compare.harness;

import java.io.Closeable;
import java.io.IOException;

/** What one sending thread sends through. Made, used and closed by that thread. */
public interface Sender extends Closeable {
    /**
     * Sends a message.
     *
     * @param payload may be changed when this returns
     * @return false when the peer accepts nothing at this
     *     moment; it has waited then, and the thread tries again
     * @throws Exception when the peer fails
     */
    boolean send(byte[] payload) throws Exception;

    /**
     * Flushes what was sent.
     *
     * @throws IOException when that fails
     */
    @Override
    default void close() throws IOException {}
}
