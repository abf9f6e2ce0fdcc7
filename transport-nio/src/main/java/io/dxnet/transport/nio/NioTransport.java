package io.dxnet.transport.nio;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.Connector;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The TCP transport (EthDXNet, DXNet §VIII to §XI): puts together the selector agent, the acceptor and the connections' states.
 * Any thread, as {@link Transport} says.
 */
final class NioTransport implements Transport {
    /** In the configuration, and in the handshake. */
    static final String NAME = "nio";

    private final TransportContext context;
    private final NioOptions options;
    private final ConnectionTable<NioConnection> table = new ConnectionTable<>();
    private final SelectorAgent agent;
    private final List<Agent> agents;
    private final Connector connector;
    private final AtomicLong connectionIds = new AtomicLong();
    private volatile Acceptor acceptor; // start()

    NioTransport(TransportContext context, NioOptions options) {
        this.context = context;
        this.options = options;
        this.agent = new SelectorAgent(context, table, options);
        this.agents = List.of(agent);
        this.connector = new Connector(options.socketBufferBytes());
    }

    @Override
    public List<Agent> agents() {
        return agents;
    }

    @Override
    public void start() {
        acceptor = Acceptor.listen(context, new NioAdmission(context, this), options.acceptor());
    }

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        NioConnection c = state(connection);
        if (agent.isClosed()) {
            throw new NodeUnreachableException("node " + connection.nodeId() + " can't be reached: closed");
        }
        try {
            connector.connect(new NioOpening(context, c, address), address, deadlineNs);
        } finally {
            c.pairing().endAttempt();
        }
    }

    /** The transport's state of a connection, made when first asked for. Any thread. */
    NioConnection state(Connection connection) {
        NioConnection c = (NioConnection) connection.attachment();
        return c != null ? c : makeState(connection);
    }

    /** The live connections to a node. Any thread. */
    NioConnection first(int nodeId) {
        return table.first(nodeId);
    }

    private NioConnection makeState(Connection connection) {
        synchronized (table) {
            NioConnection c = (NioConnection) connection.attachment();
            if (c == null) {
                c = new NioConnection(connection, connectionIds.incrementAndGet(), agent);
                table.add(c);
                connection.attach(c);
            }
            return c;
        }
    }

    @Override
    public void dataPosted(Connection connection) {
        NioConnection c = (NioConnection) connection.attachment();
        if (c != null) {
            OutgoingPipe outgoing = c.outgoing();
            if (outgoing != null && !outgoing.attended()) {
                agent.post(connection.nodeId(), Interest.WRITE);
            }
        }
    }

    @Override
    public boolean sendNow(Connection connection) {
        NioConnection c = (NioConnection) connection.attachment();
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
    public void close(Connection connection, boolean orderly) {
        NioConnection c = state(connection);
        if (!c.requestClose(orderly)) {
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
