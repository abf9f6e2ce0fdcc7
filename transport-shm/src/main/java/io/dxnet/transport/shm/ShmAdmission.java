package io.dxnet.transport.shm;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.PairedAdmission;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;

/** Maps the memory of another node's direction. The acceptor's thread. */
final class ShmAdmission extends PairedAdmission<ShmConnection> {
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
    protected boolean attachIncoming(ShmConnection c, Hello hello, ByteStream channel) throws RefusedException {
        RingFile file = map(hello);
        boolean attached = false;
        try {
            attached = c.attachIncoming(hello, () -> new Incoming(c, context, new SideChannel(channel), file));
        } finally {
            if (!attached) {
                file.close();
            }
        }
        return attached;
    }

    private RingFile map(Hello hello) throws RefusedException {
        try {
            return folder.map(RingOffer.decode(hello.payload()));
        } catch (IOException e) {
            throw new RefusedException(Channels.describe(e));
        }
    }
}
