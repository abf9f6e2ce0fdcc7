package io.dxnet.transport.nio;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.WireTransport;
import io.dxnet.transport.handshake.Connector;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The TCP transport (EthDXNet, DXNet §VIII to §XI): puts together the selector agent, the acceptor
 * and the connections' states. Any thread, as {@link Transport} specifies.
 */
final class NioTransport extends WireTransport<NioConnection> {
    private final NioOptions options;
    private final SelectorAgent agent;
    private final List<Agent> agents;
    private final Connector connector;

    NioTransport(TransportContext context, NioOptions options) {
        super(context);
        this.options = options;
        this.agent = new SelectorAgent(context, connections(), options);
        this.agents = List.of(agent);
        this.connector = new Connector(options.socketBufferBytes());
    }

    @Override
    protected NioConnection create(Connection connection, long id) {
        return new NioConnection(connection, id, agent);
    }

    @Override
    public List<Agent> agents() {
        return agents;
    }

    @Override
    public void start() {
        listen(new NioAdmission(context, connections()), options.acceptor());
    }

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        NioConnection c = connections().of(connection);
        if (agent.isClosed()) {
            throw new NodeUnreachableException("node " + connection.nodeId() + " can't be reached: closed");
        }
        try {
            connector.connect(new NioOpening(context, c, address), address, deadlineNs);
        } finally {
            c.pairing().endAttempt();
        }
    }

    @Override
    public void dataPosted(Connection connection) {
        NioConnection c = connections().attached(connection);
        if (c != null) {
            OutgoingPipe outgoing = c.outgoing();
            if (outgoing != null && !outgoing.attended()) {
                agent.post(connection.nodeId(), Interest.WRITE);
            }
        }
    }

    @Override
    public boolean sendNow(Connection connection) {
        NioConnection c = connections().attached(connection);
        if (c == null) {
            return false;
        }
        OutgoingPipe outgoing = c.outgoing();
        return outgoing != null && outgoing.sendByCaller();
    }

    @Override
    public void flowControlPosted(Connection connection) {
        agent.post(connection.nodeId(), Interest.WRITE_FC);
    }

    @Override
    protected void ended(NioConnection c) {
        if (agent.isClosed()) {
            agent.finishNow(c); // there is no agent any more
        }
    }

    @Override
    public String describe() {
        return "nio: " + listening() + ", socket buffers "
                + (options.socketBufferBytes() == 0 ? "sized by the kernel" : options.socketBufferBytes() + " bytes")
                + ", one selector";
    }

    @Override
    public void close() {
        super.close();
        agent.close();
    }
}
