package io.dxnet.transport.nio;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The TCP transport (EthDXNet, DXNet §VIII to §XI): puts together the selector agent, the acceptor and the connections' states.
 * Any thread, as {@link Transport} says.
 */
final class NioTransport implements Transport {
    private final TransportContext context;
    private final NioOptions options;
    private final ConnectionTable table = new ConnectionTable();
    private final SelectorAgent agent;
    private final List<Agent> agents;
    private final Connector connector;
    private final AtomicLong connectionIds = new AtomicLong();
    private volatile Acceptor acceptor; // start()

    NioTransport(TransportContext context, NioOptions options) {
        this.context = context;
        this.options = options;
        this.agent = new SelectorAgent(context, table, options.lingerMs());
        this.agents = List.of(agent);
        this.connector = new Connector(context, options);
    }

    @Override
    public List<Agent> agents() {
        return agents;
    }

    @Override
    public void start() {
        NodeMap nodes = context.nodeMap();
        InetSocketAddress own = nodes.address(nodes.ownNodeId());
        if (own == null) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " is not in the node map: its own entry says where it listens");
        }
        String host = options.bindAddress() != null ? options.bindAddress() : own.getHostString();
        InetAddress local;
        try {
            local = own.isUnresolved() || options.bindAddress() != null
                    ? InetAddress.getByName(host)
                    : own.getAddress();
        } catch (UnknownHostException e) {
            throw new ConfigurationException(
                    "node " + nodes.ownNodeId() + " can't listen on " + host + ": its host name is not known", e);
        }
        acceptor = new Acceptor(context, this, options, new InetSocketAddress(local, own.getPort()));
        if (own.getPort() == 0) {
            int port = acceptor.address().getPort();
            nodes.put(
                    nodes.ownNodeId(),
                    own.isUnresolved()
                            ? InetSocketAddress.createUnresolved(own.getHostString(), port)
                            : new InetSocketAddress(own.getAddress(), port));
        }
        acceptor.start();
    }

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        NioConnection c = state(connection);
        if (agent.isClosed()) {
            throw new NodeUnreachableException("node " + connection.nodeId() + " can't be reached: closed");
        }
        connector.connect(c, address, deadlineNs);
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
        return "nio: " + (listening == null ? "not listening" : "listening on " + listening.address())
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
