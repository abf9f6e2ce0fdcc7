package io.dxnet.transport.handshake;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.TransportContext;
import java.lang.System.Logger.Level;
import java.net.InetAddress;

/** Which machines may reach a node's listener. */
final class Reach {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());

    private Reach() {}

    /**
     * Lets a node listen beyond loopback only where its configuration states how nodes know each
     * other, and logs it.
     */
    static void check(TransportContext context, InetAddress local) {
        if (local.isLoopbackAddress()) {
            return;
        }
        String what = "node " + context.nodeMap().ownNodeId() + " listens on " + local.getHostAddress()
                + ", which other machines can reach";
        switch (context.security().mode()) {
            case LOCAL ->
                throw new ConfigurationException(what + ", and security is not set: set security=key"
                        + " with a key of the cluster (keyFile, or the environment variable DXNET_KEY), security=tls,"
                        + " or security=none where every machine that reaches this address may join the cluster");
            case NONE -> LOG.log(Level.WARNING, what + ", with security=none: each of them can join the cluster");
            case KEY, TLS ->
                LOG.log(Level.INFO, what + ", with " + context.security().describe());
        }
    }
}
