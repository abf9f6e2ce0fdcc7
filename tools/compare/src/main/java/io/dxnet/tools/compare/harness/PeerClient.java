package io.dxnet.tools.compare.harness;

import java.io.Closeable;

/** The sending side of a round, connected. */
public interface PeerClient extends Closeable {
    /**
     * For one sending thread, called on it.
     *
     * @param thread 0 to the workload's threads - 1
     * @return what it sends through
     * @throws Exception when the peer can't
     */
    Sender sender(int thread) throws Exception;

    /**
     * Runs a closed loop of round trips to its end; each wait inside has a bound.
     *
     * @param loop decides when to send
     * @throws Exception when the peer fails
     */
    void pingPong(PingPong loop) throws Exception;

    /**
     * Ends its connection and makes another one, ready to send.
     *
     * @return false: this peer does not measure that
     * @throws Exception when the peer fails
     */
    default boolean reconnect() throws Exception {
        return false;
    }
}
