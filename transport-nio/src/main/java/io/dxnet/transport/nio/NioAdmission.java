package io.dxnet.transport.nio;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.PairedAdmission;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.tls.ByteStream;

/** Makes the channel of another node's direction the incoming one. The acceptor's thread. */
final class NioAdmission extends PairedAdmission<NioConnection> {
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
    protected boolean attachIncoming(NioConnection c, Hello hello, ByteStream channel) {
        return c.attachIncoming(hello, () -> new IncomingPipe(c, channel, context));
    }
}
