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
            attached = attachIncoming(c, hello, channel);
        } finally {
            if (!attached) {
                context.incomingFailed(c.connection());
            }
        }
        if (!attached) {
            throw RefusedException.stale();
        }
        IncomingDirection incoming = Objects.requireNonNull(c.incoming());
        Runnable replied = () -> {
            incoming.open();
            try {
                context.incomingReady(c.connection(), TransportContext.Directions.INCOMING);
            } finally {
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
