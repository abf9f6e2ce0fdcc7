package io.dxnet.tools.compare.harness;

import java.io.Closeable;

/** The receiving side of a round: counts messages into the inbox, or echoes them. */
public interface PeerServer extends Closeable {
    /**
     * Where it listens.
     *
     * @return the address for {@link Peer#connect}, one line
     */
    String address();
}
