package io.dxnet.transport.handshake;

import io.dxnet.transport.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a hello opens: the other direction of one of this node's connections,
 * a new connection, or nothing yet. The two directions of a connection are opened apart.
 * The listener passes it all connections to the hello's node, in any order, then asks
 * for {@link #mustWait} and {@link #expected}.
 *
 * <p>One decision about one hello; one thread.
 *
 * @param <C> the transport's state of a connection
 */
public final class PairingDecision<C> {
    /** How far the end of a connection has come. */
    public enum Stage {
        /** The engine uses it for new messages. */
        OPEN,
        /** It is in the middle of its end: a direction may still be opened, for the goodbye. */
        ENDING,
        /** The engine has closed it. */
        CLOSED
    }

    private final Hello hello;
    private final boolean goesFirst;
    private @Nullable C mine; // that the hello opens the other direction of
    private boolean isMineClosed;
    private boolean goesLater;
    private boolean isOtherRun;

    /**
     * A decision that has considered no connection yet.
     *
     * @param hello of another node
     * @param ownNodeId the listener's node: the node with the higher id has
     *     precedence where both open at once
     */
    public PairingDecision(Hello hello, int ownNodeId) {
        this.hello = hello;
        this.goesFirst = ownNodeId > hello.nodeId();
    }

    /**
     * Includes one of the connections to the hello's node.
     *
     * @param connection that the pairing belongs to
     * @param pairing of the connection
     * @param stage of the connection
     * @return what the hello means for it. After {@link Pairing.Claim#SUPERSEDED} and
     *     {@link Pairing.Claim#OTHER_RUN} the transport has to find out whether the connection
     *     lives: the hello by itself is no evidence, a stranger may have sent it.
     */
    public Pairing.Claim consider(C connection, Pairing pairing, Stage stage) {
        Pairing.Claim claim = pairing.judge(hello, stage == Stage.OPEN, goesFirst);
        switch (claim) {
            case MINE -> {
                mine = connection;
                isMineClosed = stage == Stage.CLOSED;
            }
            case LATER, SUPERSEDED -> goesLater = true;
            case OTHER_RUN -> isOtherRun = true;
            case NONE -> {
                // an ending connection: the hello is of its successor
            }
        }
        return claim;
    }

    /**
     * {@return whether the end of a connection, or this node's own attempt,
     * has to be over before the hello can be decided}
     *
     * @throws RefusedException where the node id is in use by another run;
     *     asking again may succeed
     */
    public boolean mustWait() throws RefusedException {
        if (isOtherRun) {
            throw RefusedException.idInUse(hello.nodeId());
        }
        return mine == null && goesLater;
    }

    /**
     * Returns the connection that the hello opens the other direction of.
     * After {@link #mustWait} returned false.
     *
     * @return null for a new connection
     * @throws RefusedException where that connection has ended: the other node
     *     may make a new one at once
     */
    public @Nullable C expected() throws RefusedException {
        if (mine == null ? hello.listenerConnectionId() != 0 : isMineClosed) {
            throw RefusedException.stale();
        }
        return mine;
    }
}
