package io.dxnet.transport.nio;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.WireAdmission;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;

/** Makes the channel of another node's direction the incoming one. The acceptor's thread. */
final class NioAdmission extends WireAdmission<NioConnection> {
    NioAdmission(TransportContext context, Connections<NioConnection> connections) {
        super(context, NioOptions.NAME, connections);
    }

    /**
     * The other node would not make a new connection if it still had the old one, whose end is then
     * about to be noticed.
     */
    @Override
    protected Later probe(NioConnection c, Hello hello) {
        c.probe();
        return null;
    }

    @Override
    protected Decision attach(NioConnection c, Hello hello, ByteStream channel) throws RefusedException {
        if (!c.attachIncoming(channel, hello, context)) {
            context.incomingFailed(c.connection());
            throw RefusedException.stale();
        }
        Runnable replied = () -> {
            context.incomingReady(c.connection(), TransportContext.Directions.INCOMING);
            c.post(Interest.READ);
        };
        return new Accepted(
                () -> Reply.accepting(context.incarnation(), c.pairing().id(), NioOpening.NO_PAYLOAD),
                replied,
                detail -> {
                    c.fail(detail);
                    replied.run(); // the engine has the connection already, and learns of its loss as of any other
                });
    }
}
