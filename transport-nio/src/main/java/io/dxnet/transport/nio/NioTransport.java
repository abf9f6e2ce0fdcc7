package io.dxnet.transport.nio;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.shared.ConnectionTable;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The TCP transport (EthDXNet, DXNet §VIII to §XI): puts together the selector agent, the acceptor
 * and the connections' states. Any thread, as {@link Transport} specifies.
 */
final class NioTransport implements Transport {
    private final TransportContext context;
    private final NioOptions options;
    private final Connections<NioConnection> connections;
    private final SelectorAgent agent;
    private final List<Agent> agents;
    private final Connector connector;
    private volatile Acceptor acceptor; // start()

    NioTransport(TransportContext context, NioOptions options) {
        this.context = context;
        this.options = options;
        ConnectionTable<NioConnection> table = new ConnectionTable<>();
        SelectorAgent driver = new SelectorAgent(context, table, options);
        this.agent = driver;
        this.agents = List.of(agent);
        this.connections = new Connections<>(table, (connection, id) -> new NioConnection(connection, id, driver));
        this.connector = new Connector(options.socketBufferBytes());
    }

    @Override
    public List<Agent> agents() {
        return agents;
    }

    @Override
    public void start() {
        acceptor = Acceptor.listen(context, new NioAdmission(context, connections), options.acceptor());
    }

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        NioConnection c = connections.of(connection);
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
        NioConnection c = connections.attached(connection);
        if (c != null) {
            OutgoingPipe outgoing = c.outgoing();
            if (outgoing != null && !outgoing.attended()) {
                agent.post(connection.nodeId(), Interest.WRITE);
            }
        }
    }

    @Override
    public boolean sendNow(Connection connection) {
        NioConnection c = connections.attached(connection);
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
    public void close(Connection connection, Close close) {
        NioConnection c = connections.of(connection);
        if (!c.close(close == Close.IN_ORDER ? ConnectionState.LINGERING : ConnectionState.CLOSED)) {
            return;
        }
        if (agent.isClosed()) {
            agent.finishNow(c); // there is no agent any more
            return;
        }
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.connectionClosed();
        }
    }

    @Override
    public String describe() {
        Acceptor listening = acceptor;
        return "nio: " + (listening == null ? "not listening" : "listening on " + listening.describe())
                + ", socket buffers "
                + (options.socketBufferBytes() == 0 ? "sized by the kernel" : options.socketBufferBytes() + " bytes")
                + ", one selector";
    }

    @Override
    public void close() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.close();
        }
        agent.close();
    }
}
