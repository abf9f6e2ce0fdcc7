package io.dxnet.transport.handshake;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** This node's entry in the node map: where it listens. */
final class OwnEntry {
    private final NodeMap nodes;
    private final InetSocketAddress entry;

    /**
     * Reads it.
     *
     * @throws ConfigurationException when there is none
     */
    OwnEntry(NodeMap nodes) {
        this.nodes = nodes;
        InetSocketAddress own = nodes.address(nodes.ownNodeId());
        if (own == null) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " is not in the node map: its own entry has its address");
        }
        this.entry = own;
    }

    /**
     * {@return the address to listen on}
     *
     * @param bindAddress in place of the entry's; null: the entry's
     * @throws ConfigurationException when the host name is not known
     */
    InetSocketAddress listeningAddress(@Nullable String bindAddress) {
        String host = bindAddress != null ? bindAddress : entry.getHostString();
        try {
            InetAddress local =
                    entry.isUnresolved() || bindAddress != null ? InetAddress.getByName(host) : entry.getAddress();
            return new InetSocketAddress(local, entry.getPort());
        } catch (UnknownHostException e) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " can't listen on " + host + ": its host name is not known", e);
        }
    }

    /** Writes the port that it got into the entry, where that has none. */
    void port(int port) {
        if (entry.getPort() == 0) {
            nodes.put(
                    nodes.ownNodeId(),
                    entry.isUnresolved()
                            ? InetSocketAddress.createUnresolved(entry.getHostString(), port)
                            : new InetSocketAddress(entry.getAddress(), port));
        }
    }
}
