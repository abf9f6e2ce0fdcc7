package io.dxnet.transport.shm;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.PairedOpening;
import io.dxnet.transport.connection.WireTransport;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.memory.OneSidedMemory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The shared-memory transport: puts together folder, agent, acceptor and the connections' states.
 * Any thread, as {@link Transport} specifies.
 */
final class ShmTransport extends WireTransport<ShmConnection> {
    private final ShmOptions options;
    private final RingFolder folder;
    private final ShmAgent agent;
    private final Connector connector;
    private final ShmMemory memory;

    ShmTransport(TransportContext context, ShmOptions options) {
        super(context);
        this.options = options;
        this.folder = RingFolder.open(options.directory());
        this.agent = new ShmAgent(context, connections(), options);
        this.connector = new Connector(context.security(), 0);
        this.memory = new ShmMemory(folder);
    }

    @Override
    protected ShmConnection create(Connection connection, long id) {
        return new ShmConnection(connection, id, agent);
    }

    @Override
    protected ShmAgent agent() {
        return agent;
    }

    @Override
    public void start() {
        listen(new ShmAdmission(context, connections(), folder), options.acceptor());
    }

    @Override
    protected void open(ShmConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        RingOffer offer = folder.offer(options.ringBytes());
        Path path = folder.path(offer);
        RingFile file = create(c, offer);
        try {
            new PairedOpening<>(
                            context,
                            ShmOptions.NAME,
                            c,
                            offer.encode(),
                            channel -> new Outgoing(c, new SideChannel(channel), file))
                    .connect(connector, address, deadlineNs);
        } finally {
            RingFolder.remove(path);
            if (c.outgoing() == null || !c.outgoing().isOf(file)) {
                file.close();
            }
        }
    }

    private RingFile create(ShmConnection c, RingOffer offer) throws NodeUnreachableException {
        try {
            return folder.create(offer);
        } catch (IOException e) {
            throw new NodeUnreachableException(
                    "node " + c.nodeId() + " can't be reached: no " + RingLayout.bytes(offer.capacity())
                            + " bytes of shared memory in " + folder.path() + " (shm.ringBytes): "
                            + Channels.describe(e),
                    e);
        }
    }

    @Override
    public OneSidedMemory oneSidedMemory() {
        return memory;
    }

    @Override
    public String describe() {
        return "shm: rings of " + options.ringBytes() + " bytes in " + folder.path() + ", side channel " + listening();
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            finishAll();
        }
    }
}
