package io.dxnet.transport.ib;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.ConnectOptions;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.BusyPhase;
import io.dxnet.transport.Connection;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.Connector;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The InfiniBand and RoCE transport (Ibdxnet): puts together the device, the msgrc engine's two halves, and the connection
 * management. Any thread, as {@link Transport} says.
 */
final class IbTransport implements Transport {
    /** Besides one that ends for each that is open: connections of a few nodes end while more than their successor are there. */
    private static final int SPARE_SLOTS = 28;

    private static final int BATCH = 64;

    private final TransportContext context;
    private final IbOptions options;
    private final IbDevice device;
    private final ConnectionTable<IbConnection> table = new ConnectionTable<>();
    private final PastConnections past = new PastConnections();
    private final ConnectionSlots slots;
    private final ReceivePool pool;
    private final SharedReceiveQueue receives;
    private final ReceiveSlots receiveSlots;
    private final ReceiveEndpoint receiver;
    private final List<SendEndpoint> senders = new ArrayList<>();
    private final List<IbAgent> agents = new ArrayList<>();
    private final SideChannels sides;
    private final DeviceEvents events;
    private final Opener opener;
    private final AtomicLong connectionIds = new AtomicLong();
    private volatile Acceptor acceptor; // start()
    private volatile boolean stopped; // free(): no agent runs any more

    IbTransport(TransportContext context, IbOptions options) {
        this.context = context;
        this.options = options;
        this.device = IbDevice.open(options, ownAddress(context.nodeMap()));
        boolean done = false;
        try {
            if (context.config().transport().equals("auto") && device.isReal()) {
                LockedMemory.requireForAllNodes(options, context.config(), context.nodeMap(), LockedMemory.limit());
            }
            int depth = options.sendQueueRequests();
            int connections = Math.min(
                    2 * context.config().maxConnections() + SPARE_SLOTS,
                    device.limits().maxCompletions() / depth);
            this.slots = new ConnectionSlots(connections);
            this.events = new DeviceEvents(context, device, table, slots);
            this.pool = new ReceivePool(
                    device.domain(),
                    (int) Math.min(Integer.MAX_VALUE, options.receivePoolBytes() / options.receiveBufferBytes()),
                    options.receiveBufferBytes());
            this.receives =
                    device.domain().createSharedReceiveQueue(options.sharedReceiveRequests(), options.receiveSges());
            this.receiveSlots =
                    new ReceiveSlots(pool, receives, options.sharedReceiveRequests(), options.receiveSges());
            CompletionChannel channel = device.context().createCompletionChannel();
            this.receiver = new ReceiveEndpoint(
                    context, this, device.context(), channel, table, slots, pool, receiveSlots, options);
            makeAgents(channel, connections * depth);
            this.sides = new SideChannels(context, this, options);
            this.opener = new Opener(context, this, new Connector(0, device.address()));
            done = true;
        } catch (VerbsException e) {
            throw new ConfigurationException(
                    "transport=ib: " + e.getMessage() + (LockedMemory.isExceeded(e) ? advice() : ""), e);
        } finally {
            if (!done) {
                closeDevice(); // and all that was made of it; nothing else that was made needs to be freed
            }
        }
    }

    /** Frees all that the device gave, with the memory that was allocated for it. */
    private void closeDevice() {
        try {
            device.close();
        } catch (VerbsException e) {
            context.error("closing the RDMA device failed", e); // what was to be thrown, if anything, says more
        }
    }

    /** What this node's host name means; a node map does not look names up. */
    static InetAddress ownAddress(NodeMap nodes) {
        InetSocketAddress own = nodes.address(nodes.ownNodeId());
        try {
            return own == null ? null : InetAddress.getByName(own.getHostString());
        } catch (UnknownHostException e) {
            return null; // the listener will say so
        }
    }

    private void makeAgents(CompletionChannel receiveChannel, int completions) {
        SendCompletions shared = null;
        for (int i = 0; i < options.sendEndpoints(); i++) {
            CompletionChannel channel =
                    context.isFused() ? receiveChannel : device.context().createCompletionChannel();
            SendCompletions own =
                    shared != null ? shared : new SendCompletions(device.context(), channel, completions, slots, this);
            if (options.shareSendCompletions()) {
                shared = own;
            }
            SendEndpoint sender = new SendEndpoint(own, domain(), table);
            senders.add(sender);
            if (!context.isFused()) {
                agents.add(new IbAgent("send-" + i, null, List.of(sender), channel, busyPhase()));
            }
        }
        agents.addFirst(
                new IbAgent("recv", receiver, context.isFused() ? senders : List.of(), receiveChannel, busyPhase()));
    }

    private BusyPhase busyPhase() {
        return BusyPhase.of(context.config().parkingStrategy(), options.busyUs(), options.yieldUs());
    }

    private ProtectionDomain domain() {
        return options.threadDomains()
                ? device.domain().createParentDomain(device.context().allocateThreadDomain())
                : device.domain();
    }

    @Override
    public List<Agent> agents() {
        return List.copyOf(agents);
    }

    @Override
    public void start() {
        receiveSlots.refill();
        acceptor = Acceptor.listen(context, new IbAdmission(context, this), options.acceptor());
        sides.start();
    }

    // ---------------------------------------------------------------- what the parts need of each other

    IbDevice device() {
        return device;
    }

    ConnectionSlots slots() {
        return slots;
    }

    ReceiveEndpoint receiver() {
        return receiver;
    }

    PastConnections past() {
        return past;
    }

    SideChannels sides() {
        return sides;
    }

    void wakeReceiver() {
        agents.getFirst().wakeIfAsleep();
    }

    /** The live connections to a node. Any thread. */
    IbConnection first(int nodeId) {
        return table.first(nodeId);
    }

    ConnectOptions connectOptions(int peerMtuBytes) {
        return device.connectOptions(options, peerMtuBytes);
    }

    QueuePair createQueuePair(SendEndpoint endpoint) {
        return endpoint.domain()
                .createQueuePair(
                        QueuePair.options(QpType.RC, endpoint.completions().queue(), receiver.queue())
                                .shared(receives)
                                .send(options.sendQueueRequests(), 2));
    }

    SendQueue createSendQueue(IbConnection connection, QueuePair queuePair, int receiveBytesMax) {
        return new SendQueue(
                connection.connection(),
                queuePair,
                ringRegion(connection.connection().ring().segment()),
                options.sendQueueRequests(),
                receiveBytesMax,
                connection.requestId(),
                context.nodeMap().ownNodeId(),
                connection.endpoint().completions().outstanding());
    }

    private MemoryRegion ringRegion(MemorySegment ring) {
        try {
            return device.ring(ring);
        } catch (VerbsException e) {
            throw LockedMemory.isExceeded(e) ? new LockedMemory.ExceededException(e, advice()) : e;
        }
    }

    private String advice() {
        return LockedMemory.advice(options, context.config().orbBytes());
    }

    /** A number for a connection, or another attempt to open it: higher than all before. */
    long nextId() {
        return connectionIds.incrementAndGet();
    }

    /** Where both nodes open a connection at once, the one with the lower id takes what the other one opens. */
    boolean givesWayTo(int nodeId) {
        return context.nodeMap().ownNodeId() < nodeId;
    }

    /** What the other side of a connection is told. */
    QpInfo info(IbConnection connection) {
        return new QpInfo(connection.address(), device.mtu().bytes(), options.receiveBytesMax(), options.keepAliveMs());
    }

    /** The transport's state of a connection, made when first asked for. Any thread. */
    IbConnection state(Connection connection) {
        IbConnection c = (IbConnection) connection.attachment();
        return c != null ? c : makeState(connection);
    }

    private IbConnection makeState(Connection connection) {
        synchronized (table) {
            IbConnection c = (IbConnection) connection.attachment();
            if (c == null) {
                SendEndpoint endpoint = senders.get(connection.nodeId() % senders.size());
                c = new IbConnection(connection, nextId(), endpoint, this);
                table.add(c);
                connection.attach(c);
            }
            return c;
        }
    }

    // ---------------------------------------------------------------- opening

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        opener.open(state(connection), address, deadlineNs);
    }

    /** The other side's queue pair receives: both may send. Any thread; the second call does nothing. */
    void peerIsReady(IbConnection c) {
        if (c.ready()) {
            context.incomingReady(c.connection(), true);
            c.endpoint().post(c.nodeId(), SendEndpoint.WRITE | SendEndpoint.FLOW_CONTROL);
        }
    }

    // ---------------------------------------------------------------- sending

    @Override
    public void dataPosted(Connection connection) {
        IbConnection c = (IbConnection) connection.attachment();
        if (c != null && !c.stream().isWatched() && !c.stream().isStalled()) {
            c.endpoint().post(connection.nodeId(), SendEndpoint.WRITE);
        }
    }

    @Override
    public boolean sendNow(Connection connection) {
        IbConnection c = (IbConnection) connection.attachment();
        return c != null && c.endpoint().sendNow(c);
    }

    @Override
    public void flowControlPosted(Connection connection) {
        IbConnection c = (IbConnection) connection.attachment();
        if (c != null) {
            c.endpoint().post(connection.nodeId(), SendEndpoint.FLOW_CONTROL);
        }
    }

    // ---------------------------------------------------------------- ends

    @Override
    public void close(Connection connection, boolean orderly) {
        IbConnection c = state(connection);
        if (!c.requestClose(orderly)) {
            return;
        }
        past.add(c.nodeId(), c.counterpart());
        if (stopped) {
            finish(c);
            return;
        }
        sides.end(c);
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.connectionClosed();
        }
    }

    /** Frees what a connection has: nothing is lost by that any more. The side channels' thread. */
    void finish(IbConnection c) {
        try {
            c.seal();
        } finally {
            table.remove(c);
            if (stopped) {
                receiver.purge(c);
                destroy(c);
            } else {
                receiver.purgeLater(c); // destroy follows
            }
        }
    }

    /** The last step; nothing of the connection is in the receiver's hands any more. Any thread. */
    void destroy(IbConnection c) {
        try {
            c.destroy();
        } catch (
                RuntimeException
                        e) { // the library refuses: the queue pair is in the error state, and does nothing any more
            context.error("freeing the queue pair of the " + c.connection() + " failed", e);
        }
        SideChannel side = c.side();
        if (side != null) {
            side.close();
        }
        if (c.release()) {
            c.connection().released();
        }
    }

    DeviceEvents events() {
        return events;
    }

    @Override
    public long buffersInUse() {
        return receiver.buffersInUse();
    }

    @Override
    public String describe() {
        Acceptor listening = acceptor;
        return "ib: " + device.describe() + ", side channel "
                + (listening == null ? "not listening" : "on " + listening.describe()) + ", "
                + senders.size() + " send endpoint" + (senders.size() == 1 ? "" : "s")
                + (options.shareSendCompletions() ? " sharing a completion queue" : "")
                + (options.threadDomains() ? " with thread domains" : "") + ", "
                + slots.used() + " queue pairs of " + slots.count() + ", "
                + options.sharedReceiveRequests() + " receives of " + options.receiveBytesMax()
                + " bytes, receive pool of "
                + (long) pool.count() * pool.bufferBytes() + " bytes";
    }

    @Override
    public void close() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.close();
        }
        sides.close();
    }

    @Override
    public void free() {
        stopped = true;
        for (IbConnection c : table.all()) {
            finish(c);
        }
        receiver.close();
        closeDevice();
    }
}
