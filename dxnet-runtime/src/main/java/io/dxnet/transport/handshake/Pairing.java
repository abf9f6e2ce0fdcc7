package io.dxnet.transport.handshake;

/**
 * Which connection of the other node a connection leads to, and which channels belong together,
 * where the two directions are opened apart: what this node knows of the other node's end of one
 * connection. No threads, no channels; any thread, by this object's monitor.
 *
 * <p>A node names its own connection in the hello, and the other node's where it knows it. Where
 * both nodes open a connection at once, neither knows the other's: then the node with the higher id
 * lets the other's hello wait until its own attempt is over, and the node with the lower id accepts
 * at once. So both attempts end up in the same pair of connections.
 */
public final class Pairing {
    /** What a listener does with a hello, as far as one of its connections is concerned. */
    public enum Claim {
        /** The hello has nothing to do with this connection. */
        NONE,
        /** The hello opens the other direction of this connection. */
        MINE,
        /**
         * This connection is open, and the other node has begun a later one: this one has ended
         * there, or the hello is forged.
         */
        SUPERSEDED,
        /** This connection is open to another run of the node, or to another node with its id. */
        OTHER_RUN,
        /** This node's own attempt has precedence. */
        LATER
    }

    private long id;
    private PeerIdentity peer = PeerIdentity.NONE;
    private boolean attempting; // a hello that names no connection of the other node is on its way
    private boolean outgoing;
    private boolean incoming;

    /**
     * A connection without channels.
     *
     * @param id of this node's end; later connections have higher ones
     */
    public Pairing(long id) {
        this.id = id;
    }

    /**
     * This node's end.
     *
     * @return its id
     */
    public synchronized long id() {
        return id;
    }

    /**
     * This node is about to send a hello.
     *
     * @return the other node's end to be named in it, 0 where it is not known
     */
    public synchronized long beginAttempt() {
        attempting = !peer.isKnown();
        return peer.connectionId();
    }

    /**
     * This node is about to send a hello for both directions. The attempt has a number of its own:
     * an earlier attempt, whose end the other node has not noticed, has a lower one.
     *
     * @param attempt the id of this node's end from here on
     */
    public synchronized void beginAttempt(long attempt) {
        id = attempt;
        attempting = true;
    }

    /** The attempt is over, whatever came of it. */
    public synchronized void endAttempt() {
        attempting = false;
    }

    /**
     * {@return whether a hello that does not know this connection has to wait for its answer:
     * true between {@link #beginAttempt} and {@link #endAttempt}}
     */
    public synchronized boolean isAttempting() {
        return attempting;
    }

    /**
     * Decides what a hello means for this connection. The listener.
     *
     * @param hello of the node that this connection leads to
     * @param isOpen whether the engine uses this connection for new messages
     * @param goesFirst whether this node's own attempts have precedence
     * @return what it means for this connection
     */
    public synchronized Claim judge(Hello hello, boolean isOpen, boolean goesFirst) {
        boolean names = hello.listenerConnectionId() != 0;
        if (names
                ? hello.listenerConnectionId() == id
                : peer.equals(new PeerIdentity(hello.incarnation(), hello.connectionId()))) {
            return Claim.MINE;
        }
        if (!isOpen) {
            return Claim.NONE;
        }
        if (peer.isOfAnotherRunThan(hello)) {
            return Claim.OTHER_RUN;
        }
        if (peer.isSupersededBy(hello)) {
            return Claim.SUPERSEDED;
        }
        return attempting && goesFirst ? Claim.LATER : Claim.NONE;
    }

    /**
     * The other node accepted this node's direction.
     *
     * @param theirs its end of the connection
     * @return false when the other direction belongs to another of its connections
     */
    public synchronized boolean attachOutgoing(PeerIdentity theirs) {
        attempting = false;
        if (outgoing || !pair(theirs)) {
            return false;
        }
        outgoing = true;
        return true;
    }

    /**
     * The other node opens its direction.
     *
     * @param theirs its end of the connection
     * @return false when it is open, or this node's direction belongs to another of its connections
     */
    public synchronized boolean attachIncoming(PeerIdentity theirs) {
        if (incoming || !pair(theirs)) {
            return false;
        }
        incoming = true;
        return true;
    }

    /** The direction that {@link #attachOutgoing} accepted could not be made after all. */
    public synchronized void detachOutgoing() {
        outgoing = false;
        if (!incoming) {
            peer = PeerIdentity.NONE;
        }
    }

    /** The direction that {@link #attachIncoming} accepted could not be made after all. */
    public synchronized void detachIncoming() {
        incoming = false;
        if (!outgoing) {
            peer = PeerIdentity.NONE;
        }
    }

    /**
     * Both directions are open at once.
     *
     * @param theirs the other node's end of the connection; {@link PeerIdentity#NONE}: they are not
     *     open after all
     */
    public synchronized void attachBoth(PeerIdentity theirs) {
        attempting = false;
        outgoing = theirs.isKnown();
        incoming = theirs.isKnown();
        peer = theirs;
    }

    /**
     * Returns the other node's end of the connection.
     *
     * @return {@link PeerIdentity#NONE} where it is not known
     */
    public synchronized PeerIdentity peer() {
        return peer;
    }

    private boolean pair(PeerIdentity theirs) {
        if (peer.isKnown() && !peer.equals(theirs)) {
            return false;
        }
        peer = theirs;
        return true;
    }
}
