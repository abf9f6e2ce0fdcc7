package io.dxnet.transport.ib;

import io.dxnet.ConfigurationException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.WireTransport;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.ib.memory.MemoryDevice;
import io.dxnet.transport.ib.memory.VerbsMemory;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.OneSidedMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The InfiniBand and RoCE transport (Ibdxnet): puts together the device, the msgrc engine's two
 * halves, and the connection management, and passes the engine's calls to them. No part calls back
 * into it. Any thread, as {@link Transport} specifies.
 */
final class IbTransport extends WireTransport<IbConnection> {
    /**
     * Besides one that ends for each that is open: connections of a few nodes end while more than
     * their successor are there.
     */
    private static final int SPARE_SLOTS = 28;

    // What has no modifier is for tests too.
    final ConnectionSlots slots;
    final ControlChannels sides;

    private final IbOptions options;
    private final IbDevice device;
    private final ReceivePool pool;
    private final ReceiveSlots receiveSlots;
    private final ReceiveEndpoint receiver;
    private final QueuePairs queuePairs;
    private final List<SendEndpoint> senders = new ArrayList<>();
    private final List<Agent> agents = new ArrayList<>();
    private final DeviceEvents events;
    private final Connector connector;
    private final VerbsMemory memory;

    IbTransport(TransportContext context, IbOptions options) {
        super(context);
        this.options = options;
        options.encryption().check(context.security());
        this.device = IbDevice.open(options, ownAddress(context.nodeMap()));
        boolean done = false;
        try {
            if (context.config().transport().equals("auto") && device.isReal()) {
                LockedMemory.requireForAllNodes(options, context.config(), context.nodeMap(), LockedMemory.limit());
            }
            int depth = options.sendQueueRequests();
            int count = Math.min(
                    2 * context.config().maxConnections() + SPARE_SLOTS,
                    device.limits().maxCompletions() / depth);
            this.slots = new ConnectionSlots(count);
            this.pool = new ReceivePool(
                    device.domain(),
                    (int) Math.min(Integer.MAX_VALUE, options.receivePoolBytes() / options.receiveBufferBytes()),
                    options.receiveBufferBytes());
            SharedReceiveQueue receives =
                    device.domain().createSharedReceiveQueue(options.sharedReceiveRequests(), options.receiveSges());
            this.receiveSlots =
                    new ReceiveSlots(pool, receives, options.sharedReceiveRequests(), options.receiveSges());
            this.events = new DeviceEvents(context, device, connections(), slots);
            CompletionChannel channel = device.context().createCompletionChannel();
            this.receiver = new ReceiveEndpoint(
                    context, events, device.context(), channel, connections(), slots, pool, receiveSlots, options);
            makeAgents(channel, count * depth);
            this.sides = new ControlChannels(context, options, connections(), receiver, events);
            this.queuePairs = new QueuePairs(context, device, options, receives, receiver.queue());
            this.connector = new Connector(context.security(), 0, device.address());
            this.memory = new VerbsMemory(
                    new MemoryDevice(
                            device.context(),
                            device.gid(),
                            device.mtu().bytes(),
                            mtuBytes -> device.connectOptions(options, mtuBytes)),
                    context.nodeMap().ownNodeId(),
                    IdleStrategy.afterWork(context.config()));
            done = true;
        } catch (VerbsException e) {
            String advice = LockedMemory.advice(options, context.config().ringBytes());
            throw new ConfigurationException(
                    "transport=ib: " + e.getMessage() + (LockedMemory.isExceeded(e) ? advice : ""), e);
        } finally {
            if (!done) {
                closeDevice(); // and all that was made of it; nothing else that was made needs to be freed
            }
        }
    }

    /** Frees all that was made on the device, with the memory that was allocated for it. */
    private void closeDevice() {
        try {
            device.close();
        } catch (VerbsException e) {
            context.error("closing the RDMA device failed", e); // an exception that is thrown, if any, explains more
        }
    }

    /** Resolves this node's host name; a node map does not resolve names. */
    static InetAddress ownAddress(NodeMap nodes) {
        InetSocketAddress own = nodes.address(nodes.ownNodeId());
        try {
            return own == null ? null : InetAddress.getByName(own.getHostString());
        } catch (UnknownHostException e) {
            return null; // the listener will report it
        }
    }

    private void makeAgents(CompletionChannel receiveChannel, int completions) {
        boolean oneThread = context.agentThreads() == TransportContext.AgentThreads.ONE_FOR_ALL;
        SendCompletions own = null;
        for (int i = 0; i < options.sendEndpoints(); i++) {
            // One thread waits in one channel for everything.
            CompletionChannel channel =
                    oneThread ? receiveChannel : device.context().createCompletionChannel();
            if (own == null || !options.shareSendCompletions()) {
                own = new SendCompletions(device.context(), channel, completions, slots, events);
            }
            ProtectionDomain domain = options.threadDomains()
                    ? device.domain().createParentDomain(device.context().allocateThreadDomain())
                    : device.domain();
            SendEndpoint sender = new SendEndpoint(own, domain, connections());
            senders.add(sender);
            if (!oneThread) {
                agents.add(agent("send-" + i, null, List.of(sender), channel));
            }
        }
        agents.addFirst(agent("recv", receiver, oneThread ? senders : List.of(), receiveChannel));
    }

    private IbAgent agent(String role, ReceiveEndpoint receives, List<SendEndpoint> sends, CompletionChannel channel) {
        return new IbAgent(role, receives, sends, channel, IdleStrategy.afterWork(context.config()));
    }

    @Override
    protected IbConnection create(Connection connection, long id) {
        SendSide sender = senders.get(connection.nodeId() % senders.size());
        return new IbConnection(context, connection, id, sender, queuePairs, receiver);
    }

    @Override
    public List<Agent> agents() {
        return List.copyOf(agents);
    }

    @Override
    public void start() {
        receiveSlots.refill(false);
        listen(new IbAdmission(context, connections(), slots, sides, events), options.acceptor());
        sides.start();
    }

    @Override
    protected void open(IbConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        opening(c, deadlineNs).open(connector, address);
    }

    IbOpening opening(IbConnection c, long deadlineNs) {
        return new IbOpening(context, connections(), sides, events, c, deadlineNs);
    }

    @Override
    protected ControlChannels agent() {
        return sides;
    }

    @Override
    protected void finish(IbConnection c) {
        try {
            c.seal();
        } finally {
            connections().remove(c);
            receiver.purge(c);
            c.finish();
        }
    }

    /**
     * None with {@code ib.security=aes-gcm}: messages are encrypted, what a device reads and writes
     * is not.
     */
    @Override
    public OneSidedMemory oneSidedMemory() {
        return options.encryption() == Encryption.NONE ? memory : null;
    }

    @Override
    public long buffersInUse() {
        return receiver.buffersInUse();
    }

    @Override
    public String describe() {
        return "ib: " + device.describe() + ", control channel " + listening() + ", "
                + senders.size() + " send endpoint" + (senders.size() == 1 ? "" : "s")
                + (options.shareSendCompletions() ? " sharing a completion queue" : "")
                + (options.threadDomains() ? " with thread domains" : "") + ", "
                + slots.used() + " queue pairs of " + slots.count() + ", up to "
                + options.sharedReceiveRequests() + " receives of " + options.receiveBytesMax()
                + " bytes, receive pool of "
                + (long) pool.count() * pool.bufferBytes() + " bytes, " + receiver.describeSecurity();
    }

    @Override
    public void free() {
        memory.close(); // where the engine has not
        finishAll();
        sides.destroyPurged();
        receiver.close();
        closeDevice();
    }
}
