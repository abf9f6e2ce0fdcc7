package io.dxnet.transport.nio;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.PairedOpening;
import io.dxnet.transport.connection.WireTransport;
import io.dxnet.transport.handshake.Connector;
import java.net.InetSocketAddress;

/**
 * The TCP transport (EthDXNet, DXNet §VIII to §XI): puts together the selector agent, the acceptor
 * and the connections' states. Any thread, as {@link Transport} specifies.
 */
final class NioTransport extends WireTransport<NioConnection> {
    private final NioOptions options;
    private final SelectorAgent agent;
    private final Connector connector;

    NioTransport(TransportContext context, NioOptions options) {
        super(context);
        this.options = options;
        this.agent = new SelectorAgent(context, connections(), options);
        this.connector = new Connector(context.security(), options.socketBufferBytes());
    }

    @Override
    protected SelectorAgent agent() {
        return agent;
    }

    @Override
    protected NioConnection create(Connection connection, long id) {
        return new NioConnection(connection, id, agent);
    }

    @Override
    public void start() {
        listen(new NioAdmission(context, connections()), options.acceptor());
    }

    /** The channel itself is the wire: the handshake carries nothing more. */
    @Override
    protected void open(NioConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        new PairedOpening<>(
                        context, NioOptions.NAME, c, PairedOpening.NO_PAYLOAD, channel -> new OutgoingPipe(c, channel))
                .connect(connector, address, deadlineNs);
    }

    @Override
    public String describe() {
        return "nio: " + listening() + ", socket buffers "
                + (options.socketBufferBytes() == 0 ? "sized by the kernel" : options.socketBufferBytes() + " bytes")
                + ", one selector";
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
