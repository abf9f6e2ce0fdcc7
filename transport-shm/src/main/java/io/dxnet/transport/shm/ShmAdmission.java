package io.dxnet.transport.shm;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.WireAdmission;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;

/** Maps the memory of another node's direction. The acceptor's thread. */
final class ShmAdmission extends WireAdmission<ShmConnection> {
    /** The file is the opening node's: the reply carries nothing. */
    private static final byte[] NO_PAYLOAD = {};

    private final RingFolder folder;

    ShmAdmission(TransportContext context, Connections<ShmConnection> connections, RingFolder folder) {
        super(context, ShmOptions.NAME, connections);
        this.folder = folder;
    }

    /** The kernel reports the end of a process at once: it is about to be noticed. */
    @Override
    protected Later probe(ShmConnection c, Hello hello) {
        return null;
    }

    @Override
    protected Decision attach(ShmConnection c, Hello hello, ByteStream channel) throws RefusedException {
        boolean attached = false;
        try {
            RingFile file = map(hello);
            attached = c.attachIncoming(channel, hello, file, context);
            if (!attached) {
                file.close();
                throw RefusedException.stale();
            }
        } finally {
            if (!attached) {
                context.incomingFailed(c.connection());
            }
        }
        Runnable replied = () -> {
            context.incomingReady(c.connection(), TransportContext.Directions.INCOMING);
            c.post(ShmConnection.OPENED);
        };
        return new Accepted(
                () -> Reply.accepting(context.incarnation(), c.pairing().id(), NO_PAYLOAD), replied, detail -> {
                    c.fail(detail);
                    replied.run(); // the engine has the connection already, and learns of its loss as of any other
                });
    }

    private RingFile map(Hello hello) throws RefusedException {
        try {
            return folder.map(RingOffer.decode(hello.payload()));
        } catch (IOException e) {
            throw new RefusedException(Channels.describe(e));
        }
    }
}
