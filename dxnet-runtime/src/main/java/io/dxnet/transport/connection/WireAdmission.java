package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Admission;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PairingDecision;
import io.dxnet.transport.tls.ByteStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the connection that another node's hello opens, the same on every wire. A hello by itself
 * ends no connection: any stranger can send one. The acceptor's thread.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class WireAdmission<C extends WireConnection<C>> implements Admission {
    /** The engine. */
    protected final TransportContext context;

    private final String transport;
    private final Connections<C> connections;

    /**
     * Creates the rule of one node.
     *
     * @param context the engine
     * @param transport its name
     * @param connections of this node
     */
    protected WireAdmission(TransportContext context, String transport, Connections<C> connections) {
        this.context = context;
        this.transport = transport;
        this.connections = connections;
    }

    @Override
    public final String transport() {
        return transport;
    }

    @Override
    @SuppressWarnings("NullAway") // where it must wait, later is set
    public Decision open(Hello hello, ByteStream channel) throws RefusedException {
        if (connections.isClosed(hello)) {
            throw RefusedException.stale();
        }
        PairingDecision<C> decision =
                new PairingDecision<>(hello, context.nodeMap().ownNodeId());
        @Nullable Later later = null;
        for (C next = connections.first(hello.nodeId()); next != null; next = next.next()) {
            C c = next;
            switch (decision.consider(c, c.pairing(), c.stage())) {
                case LATER ->
                    later = new Later(
                            "both nodes connect, and the other attempt is not over",
                            () -> !c.isInUse() || !c.pairing().isAttempting());
                case SUPERSEDED, OTHER_RUN -> {
                    Later asked = probe(c, hello);
                    if (asked != null) {
                        return asked;
                    }
                    later = new Later(previousNotEnded(hello), () -> !c.isInUse());
                }
                case MINE, NONE -> {
                    // the decision knows
                }
            }
        }
        if (decision.mustWait()) {
            return later;
        }
        C mine = decision.expected();
        Connection connection =
                context.incoming(hello.nodeId(), hello.incarnation(), mine == null ? null : mine.connection());
        return attach(stateOf(connection), hello, channel);
    }

    private C stateOf(Connection connection) {
        C c = null;
        try {
            c = connections.of(connection);
        } finally {
            if (c == null) {
                context.incomingFailed(connection);
            }
        }
        return c;
    }

    /**
     * Returns why a hello waits whose sender has to wait for the end of a connection.
     *
     * @param hello the other node's
     * @return for the other node
     */
    protected static String previousNotEnded(Hello hello) {
        return "the previous connection of node " + hello.nodeId() + " has not ended yet: try again";
    }

    /**
     * Makes the wire show whether an open connection lives, which a hello claims to be over.
     *
     * @param c the connection
     * @param hello the claim
     * @return until when the hello waits; null: until the engine uses the connection no more
     * @throws RefusedException where the connection lives
     */
    protected abstract Later probe(C c, Hello hello) throws RefusedException;

    /**
     * Opens the wire that the hello asks for.
     *
     * @param c from the engine
     * @param hello the other node's
     * @param channel of the handshake
     * @return accepted, or later
     * @throws RefusedException where it can't be opened
     */
    protected abstract Decision attach(C c, Hello hello, ByteStream channel) throws RefusedException;
}
