package io.dxnet.transport.connection;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.util.Objects;

/**
 * Makes the channel of another node's hello the direction to this node of a
 * {@link PairedConnection}. The acceptor's thread.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class PairedAdmission<C extends PairedConnection<C, ?, ?>> extends WireAdmission<C> {
    /**
     * Creates the rule of one node.
     *
     * @param context the engine
     * @param transport its name
     * @param connections of this node
     */
    protected PairedAdmission(TransportContext context, String transport, Connections<C> connections) {
        super(context, transport, connections);
    }

    /**
     * Calls {@link PairedConnection#attachIncoming}.
     *
     * @param c the connection
     * @param hello that asks for the direction
     * @param channel of the direction
     * @return what that returned; false: the channel is the caller's
     * @throws RefusedException where the direction can't be opened
     */
    protected abstract boolean attachIncoming(C c, Hello hello, ByteStream channel) throws RefusedException;

    @Override
    protected final Decision attach(C c, Hello hello, ByteStream channel) throws RefusedException {
        boolean attached = false;
        try {
            Accepted accepted = accepted(c); // first: where there is no memory for it, nothing is attached
            attached = attachIncoming(c, hello, channel);
            if (!attached) {
                throw RefusedException.stale();
            }
            return accepted;
        } finally {
            if (!attached) {
                context.incomingFailed(c.connection());
            }
        }
    }

    private Accepted accepted(C c) {
        Runnable replied = () -> {
            try {
                // First: the engine orders what is read of this connection and of those before it.
                context.incomingReady(c.connection(), TransportContext.Directions.INCOMING);
            } finally {
                Objects.requireNonNull(c.incoming()).open();
                c.post(Interest.OPENED);
            }
        };
        return new Accepted(
                () -> Reply.accepting(context.incarnation(), c.pairing().id(), PairedOpening.NO_PAYLOAD),
                replied,
                detail -> {
                    c.fail(detail);
                    replied.run(); // the engine has the connection already, and learns of its loss as of any other
                });
    }
}
