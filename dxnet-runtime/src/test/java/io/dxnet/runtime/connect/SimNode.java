package io.dxnet.runtime.connect;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One run of a node in the simulation: the engine's own connection management ({@link
 * ConnectionManager}, {@link PeerConnection}, {@link RequestMap}, rings), with time, threads, wire
 * and application simulated. Each method is one step.
 */
final class SimNode implements ConnectionManager.Host, Transport {
    /** Of the application. */
    static final int THREADS = 2;
    /** Of the application, the responses together, and of message handlers. */
    private static final int SENDERS = THREADS + 1 + SimWorld.HANDLERS_MAX;

    private static final int RESPONSES = THREADS;

    /** Where one channel broke, the other may never end. */
    private static final long LAST_READS_NS = 2_000_000_000L;

    private static final long NO_TIMEOUT = Long.MAX_VALUE / 2;

    /** Bytes received, not parsed. */
    private record Received(SimLink link, int bytes) {}

    /** A message for the message handlers. */
    record Delivery(SimLink link, SimMessage message) {}

    final SimWorld world;
    final int id;
    final long incarnation;
    final RequestMap requests = new RequestMap(16, half -> {});
    final ConnectionManager connections;
    final List<SimLink> links = new ArrayList<>();
    final List<SimLink> live = new ArrayList<>(); // links that are not closed
    final List<SimMessage> asked = new ArrayList<>(); // requests
    int sent; // messages
    private final ArrayDeque<Received> received = new ArrayDeque<>();
    private final ArrayDeque<Delivery> responses = new ArrayDeque<>();
    private final ArrayDeque<Delivery> deliveries = new ArrayDeque<>(); // but responses
    private final List<BooleanSupplier> polled = new ArrayList<>();
    // What each application thread is sending.
    private final SimSend[] current = new SimSend[THREADS];
    private final SimHandler[] handlers;
    private final SimMemory memory;
    private final int[] numbers = new int[SimWorld.NODES * SENDERS];
    private final int[] lastHandled = new int[SimWorld.NODES * SENDERS]; // of sending node, thread
    private final long[] lastRun = new long[SimWorld.NODES * SENDERS];
    final int[] reportedEnds = new int[SimWorld.NODES]; // to the application, by the other node
    final long[] reportedBytes = new long[SimWorld.NODES]; // unconfirmed, in these reports
    private long linkIds;
    private long closeDeadlineNs = Long.MAX_VALUE;
    boolean up = true;
    boolean killed;

    SimNode(SimWorld world, int id, NodeMap map, long incarnation) {
        this.world = world;
        this.id = id;
        this.incarnation = incarnation;
        this.memory = new SimMemory(world.memoryBytes);
        this.handlers = new SimHandler[world.handlers];
        for (int i = 0; i < handlers.length; i++) {
            handlers[i] = new SimHandler(this, RESPONSES + 1 + i);
        }
        this.connections =
                new ConnectionManager(world.config, map, SimWorld.NODES, incarnation, world.memory, requests, this);
        connections.wire(this, connection -> {}, () -> 0);
    }

    // ---------------------------------------------------------------- the application

    /** An application thread continues its send, or begins one. */
    void send(int thread, boolean begin) {
        if (current[thread] == null) {
            SimMessage message = begin ? message(otherNode(), thread, 0, request()) : null;
            if (message == null) {
                return;
            }
            current[thread] = new SimSend(this, message, null, false);
        }
        SimSend send = current[thread];
        try {
            send.turn();
        } catch (DXNetException | NetClosedException e) {
            told(send.message, e);
        }
        if (send.message.fate != SimMessage.Fate.WAITING) {
            current[thread] = null;
        }
    }

    private long request() {
        return world.random.nextInt(8) == 0 ? NO_TIMEOUT : 0;
    }

    /** Any node but this one. */
    int otherNode() {
        return (id + 1 + world.random.nextInt(SimWorld.NODES - 1)) % SimWorld.NODES;
    }

    /**
     * A message that a thread is about to send; null where it is a request and
     * there is no place for one.
     *
     * @param timeoutNs of a request; 0 for a message
     */
    SimMessage message(int destination, int thread, int depth, long timeoutNs) {
        PendingRequest request = null;
        if (timeoutNs > 0) {
            request = new PendingRequest(destination, "request", Object.class, world.now + timeoutNs, null);
            if (!requests.tryAdd(request)) {
                return null;
            }
        }
        int bytes = HeaderDescriptor.BYTES + world.random.nextInt(world.random.nextInt(4) == 0 ? 1500 : 60);
        SimMessage message = new SimMessage(
                this, destination, thread, ++numbers[destination * SENDERS + thread], bytes, depth, request, null);
        sent++;
        if (request != null) {
            asked.add(message);
        }
        return message;
    }

    SimMessage response(SimMessage request) {
        sent++;
        return new SimMessage(
                this, request.sender.id, RESPONSES, 0, HeaderDescriptor.BYTES, request.depth, null, request);
    }

    boolean accept(SimMessage message, PeerConnection connection, Window window) throws DXNetException {
        long claim = connection.isHandedOver()
                ? claimAfterHandover(message, connection)
                : connection.ring().tryClaim(message.bytes, window);
        if (claim < 0) {
            return false;
        }
        link(connection).stream.add(message);
        connection.sending(message.bytes);
        connection.ring().commit(claim, message.bytes);
        message.fate = SimMessage.Fate.ACCEPTED;
        if (connection.isLost()) {
            throw new ConnectionLostException("ended while it was being sent");
        }
        if (message.request != null) {
            message.request.sent();
            if (connection.life().isEnded()) {
                connections.failRequests(connection);
            }
        }
        return true;
    }

    private static long claimAfterHandover(SimMessage message, PeerConnection connection) {
        OutgoingRingBuffer ring = connection.ring();
        if (message.answers == null || ring.capacity() - ring.pending() < message.bytes || !connection.tryLock(true)) {
            return OutgoingRingBuffer.LOCKED_OUT;
        }
        int bytes = ring.tryClaimLocked(message.bytes, Window.IGNORED);
        connection.unlock();
        return bytes == message.bytes ? ring.lockedClaim() : OutgoingRingBuffer.FULL;
    }

    /** The sender of a message gets an exception. */
    void told(SimMessage message, Exception e) {
        if (e instanceof NodeUnreachableException && world.isPrompt()) {
            world.violated("a healthy node is unreachable: " + message + ": " + e.getMessage());
        }
        message.fate = SimMessage.Fate.TOLD;
        if (message.request != null) {
            requests.remove(message.request);
        }
    }

    /** As a thread of the application that begins to connect, and is interrupted. */
    void connect(int nodeId) {
        try {
            connections.openOutgoing(connections.connectionTo(nodeId));
        } catch (DXNetException e) {
            world.violated(this + " can't connect: " + e);
        }
    }

    void disconnect(int nodeId) {
        PeerConnection connection = connections.get(nodeId);
        if (connection != null) {
            connections.finish(connection, Disconnect.Reason.CLOSED);
        }
    }

    /** The application closes the node. */
    void shutDown() {
        if (closeDeadlineNs == Long.MAX_VALUE) {
            closeDeadlineNs = world.now + world.closeTimeoutNs;
            connections.finishAll(closeDeadlineNs);
        }
    }

    /** A message handler continues; false where it has nothing to do, or waits. */
    boolean handle(int handler) {
        return handlers[handler].turn();
    }

    /** The next message of those that are handled in their order; null: there is none. */
    Delivery nextDelivery() {
        return deliveries.poll();
    }

    /** Ends a request whose response is here; false where there is none. */
    boolean endRequest() {
        Delivery delivery = responses.poll();
        if (delivery == null) {
            return false;
        }
        SimMessage response = delivery.message;
        once(response);
        requests.complete(response.answers.request.id(), delivery.link.connection, null);
        delivery.link.connection.processed(response.bytes);
        return true;
    }

    /** A callback begins. */
    void handling(SimMessage message) {
        once(message);
        inOrder(message);
    }

    private void once(SimMessage message) {
        message.handled++;
        if (message.handled > 1) {
            world.violated("handled twice: " + message);
        }
    }

    private void inOrder(SimMessage message) {
        int slot = message.sender.id * SENDERS + message.thread;
        // A later run begins anew; what is left of the one before has no order.
        if (message.sender.incarnation > lastRun[slot]) {
            lastRun[slot] = message.sender.incarnation;
            lastHandled[slot] = 0;
        }
        if (message.sender.incarnation == lastRun[slot]) {
            if (message.number <= lastHandled[slot]) {
                world.violated("out of order: " + message + " after " + lastHandled[slot]);
            }
            lastHandled[slot] = message.number;
        }
    }

    // ---------------------------------------------------------------- the control thread

    void control() {
        for (int i = polled.size() - 1; i >= 0; i--) {
            if (polled.get(i).getAsBoolean()) {
                polled.remove(i);
            }
        }
        if (up && closeDeadlineNs != Long.MAX_VALUE && (connections.isEmpty() || world.now - closeDeadlineNs >= 0)) {
            connections.close();
            up = false;
        }
    }

    @Override
    public long nanoTime() {
        return world.now;
    }

    @Override
    public int tick() {
        return (int) (world.now / 10_000_000);
    }

    @Override
    public void used() {}

    @Override
    public void connected(int nodeId) {}

    @Override
    public void disconnected(int nodeId, Disconnect cause) {
        reportedEnds[nodeId]++;
        reportedBytes[nodeId] += world.faults.reported(cause.unconfirmedBytes());
        world.isOverdue |= cause.detail().startsWith("was not closed in order");
        if (cause.reason() == Disconnect.Reason.LOST && world.isHealthy() && !world.isOverdue) {
            world.violated("a connection of healthy nodes was lost: " + this + " to node " + nodeId + ": " + cause);
        }
    }

    @Override
    public void poll(BooleanSupplier step) {
        polled.add(step);
    }

    @Override
    public void open(PeerConnection connection) {
        world.attempt(link(connection));
    }

    @Override
    public void retire(PeerConnection connection, RingMemory memory) {
        polled.add(() -> {
            boolean quiet = connection.isRingQuiescent();
            if (quiet) {
                memory.giveBack(connection.ring().segment());
            }
            return quiet;
        });
    }

    // ---------------------------------------------------------------- the wire

    SimLink link(PeerConnection connection) {
        SimLink link = (SimLink) connection.attachment();
        if (link == null) {
            link = new SimLink(this, connection, ++linkIds);
            connection.attach(link);
            links.add(link);
            live.add(link);
        }
        return link;
    }

    /** The kernel accepts bytes of the ring. */
    void write(SimLink link) {
        SimChannel channel = link.outgoing;
        if (channel == null || link.closed || link.lost || channel.dataEnd) {
            return;
        }
        int bytes = Math.min(link.connection.ring().readable(), SimWorld.KERNEL_BYTES - channel.data);
        if (bytes > 1 && world.random.nextInt(3) == 0) {
            bytes = 1 + world.random.nextInt(bytes);
        }
        if (bytes > 0) {
            link.connection.ring().post(bytes);
            link.connection.ring().confirm(bytes);
            channel.data += bytes;
            world.faults.written(world, link);
        }
    }

    /** Bytes of the kernel become a received buffer. */
    void read(SimLink link) {
        SimChannel channel = link.incoming;
        if (channel == null || link.closed || link.lost) {
            return;
        }
        if (channel.data > 0) {
            int allowance = world.faults.isNextToRead(link) ? memory.allowance(link, bytesInUse()) : 0;
            if (allowance == 0) {
                world.longestRefusalNs = Math.max(world.longestRefusalNs, link.refused(world.now));
                world.faults.readingRefused(link);
                return;
            }
            int bytes = world.random.nextInt(3) == 0 ? 1 + world.random.nextInt(channel.data) : channel.data;
            bytes = Math.min(bytes, allowance);
            channel.data -= bytes;
            link.accepted();
            link.connection.readingAccepted();
            link.connection.queuedBuffers().incrementAndGet();
            link.connection.bytesReceived().add(bytes);
            received.add(new Received(link, bytes));
        } else if (channel.dataEnd) {
            channel.toSawEnd = true;
            link.failed(world.now);
        }
    }

    /** Received bytes that are not handled: of buffers, of messages, and of parts of them. */
    private long bytesInUse() {
        long bytes = 0;
        for (Received buffer : received) {
            bytes += buffer.bytes;
        }
        for (Delivery delivery : deliveries) {
            bytes += delivery.message.bytes;
        }
        for (Delivery delivery : responses) {
            bytes += delivery.message.bytes;
        }
        for (SimHandler handler : handlers) {
            bytes += handler.bytesInUse();
        }
        for (SimLink link : live) {
            bytes += link.incompleteBytes();
        }
        return bytes;
    }

    /** Confirmations and signals of the other node. */
    void readBack(SimLink link) {
        SimChannel channel = link.outgoing;
        Integer value = channel == null || link.closed || link.lost ? null : channel.back.poll();
        if (value == null) {
            return;
        }
        if (value == SimChannel.END) {
            channel.fromSawEnd = true;
            link.failed(world.now);
        } else if (value > 0) {
            link.connection.flowControlReceived(value);
        } else {
            link.connection.signalsReceived(-value);
        }
    }

    /** Writes confirmations and signals. */
    void writeBack(SimLink link) {
        if (!link.flowControlPosted || link.incoming == null || link.closed) {
            return;
        }
        link.flowControlPosted = false;
        flushBack(link);
    }

    private static void flushBack(SimLink link) {
        int steps = link.connection.takeFlowControl(255);
        int signals = link.connection.takeSignals();
        if (steps > 0) {
            link.incoming.back.add(steps);
        }
        if (signals != 0) {
            link.incoming.back.add(-signals);
        }
    }

    /**
     * The transport reports a broken connection once everything that can arrive
     * has arrived, or after some time.
     */
    void report(SimLink link) {
        boolean drained = link.incoming == null || link.incoming.toSawEnd;
        boolean signalless = link.outgoing == null || link.outgoing.fromSawEnd;
        boolean isOverdue = world.now - link.failedNs > LAST_READS_NS;
        if (link.failed && !link.lost && !link.closed && (drained && signalless || isOverdue)) {
            link.lost = true;
            connections.brokenByTransport(link.connection, "the other node closed the connection");
        }
    }

    private boolean parseNext(SimLink link, List<SimMessage> stream) {
        boolean isHandover = !link.handover && link.parsedMessages == link.incoming.from.beforeHandover;
        if (!isHandover && link.parsedMessages == stream.size()) {
            return false;
        }
        int bytes = isHandover ? HeaderDescriptor.BYTES : stream.get(link.parsedMessages).bytes;
        if (link.parsedEnd + bytes > link.parsed) {
            return false;
        }
        link.parsedEnd += bytes;
        link.whole();
        if (isHandover) {
            link.handover = true;
            link.connection.processed(bytes);
        } else {
            SimMessage message = stream.get(link.parsedMessages++);
            (message.answers == null ? deliveries : responses).add(new Delivery(link, message));
        }
        return true;
    }

    /** The message creation coordinator parses the next buffer; false where there is none. */
    boolean parse() {
        Received buffer = received.poll();
        if (buffer == null) {
            return false;
        }
        SimLink link = buffer.link;
        link.parsed += buffer.bytes;
        List<SimMessage> stream = link.incoming.from.stream;
        boolean handover = link.handover;
        long parsedEnd = link.parsedEnd;
        while (parseNext(link, stream)) {
            // the next one
        }
        memory.parsed(link, link.parsedEnd != parsedEnd);
        if (link.handover && !handover) {
            connections.handoverReached(link.connection);
        }
        if (!link.goodbye
                && link.parsed == link.parsedEnd + HeaderDescriptor.BYTES
                && link.incoming.from.connection.tail() == PeerConnection.Tail.GOODBYE
                && link.parsedMessages == stream.size()) {
            link.goodbye = true;
            world.faults.goodbyeReached(link);
        }
        link.connection.queuedBuffers().decrementAndGet();
        if (link.goodbye) {
            connections.goodbyeReached(link.connection);
        }
        return true;
    }

    @Override
    public void close(Connection connection, Close close) {
        SimLink link = link((PeerConnection) connection);
        if (link.closed) {
            return;
        }
        link.closed = true;
        live.remove(link);
        memory.closed(link);
        link.reported = link.connection.unconfirmedBytes();
        link.pairing.endAttempt();
        if (link.incoming != null) {
            if (close == Close.IN_ORDER) {
                flushBack(link);
                link.incoming.endBack();
            } else if (world.random.nextBoolean()) {
                link.incoming.reset();
            } else {
                link.incoming.endBack();
            }
        }
        if (link.outgoing != null) {
            // Over loopback, what was not read is in this ring.
            if (close == Close.IN_ORDER || !world.bothWays && world.random.nextBoolean()) {
                link.outgoing.endData();
            } else {
                link.outgoing.reset();
            }
        }
        link.release();
    }

    /** The process is killed: the kernel ends its channels; what was written may still arrive. */
    void kill() {
        up = false;
        killed = true;
        for (SimLink link : links) {
            if (link.outgoing != null) {
                link.outgoing.endData();
            }
            if (link.incoming != null) {
                link.incoming.endBack();
            }
            link.closed = true;
        }
        live.clear();
    }

    /** Returns the rings of a killed node, after the schedule. */
    void discard() {
        connections.close();
        for (SimLink link : links) {
            link.release();
        }
        control();
    }

    /** Whether its threads have nothing to do and wait for nothing. */
    boolean isIdle() {
        if (!received.isEmpty() || !deliveries.isEmpty() || !responses.isEmpty()) {
            return false;
        }
        for (SimHandler handler : handlers) {
            if (!handler.isIdle()) {
                return false;
            }
        }
        for (SimSend send : current) {
            if (send != null) {
                return false;
            }
        }
        return true;
    }

    /** Whether a message is being sent, other than a response. */
    boolean isSending() {
        for (SimSend send : current) {
            if (send != null) {
                return true;
            }
        }
        for (SimHandler handler : handlers) {
            if (handler.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the control thread waits for something. */
    boolean isPolling() {
        return !polled.isEmpty();
    }

    // ---------------------------------------------------------------- not used in the simulation

    @Override
    public List<Agent> agents() {
        return List.of();
    }

    @Override
    public void start() {}

    @Override
    public void connect(Connection connection, InetSocketAddress address, long deadlineNs) {}

    @Override
    public void dataPosted(Connection connection) {
        SimLink link = link((PeerConnection) connection);
        if (link.beforeHandover < 0 && link.connection.isHandedOver()) {
            link.beforeHandover = link.stream.size();
        }
    }

    @Override
    public boolean sendNow(Connection connection) {
        return false;
    }

    @Override
    public void flowControlPosted(Connection connection) {
        link((PeerConnection) connection).flowControlPosted = true;
    }

    @Override
    public String describe() {
        return "simulated";
    }

    @Override
    public void close() {
        connections.close();
    }

    @Override
    public String toString() {
        return "node " + id + " (run " + incarnation + ")";
    }
}
