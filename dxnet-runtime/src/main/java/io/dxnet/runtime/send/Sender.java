package io.dxnet.runtime.send;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Message;
import io.dxnet.MessageTooLargeException;
import io.dxnet.MessageType;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.ValueMessage;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The way of a message from the application's call into a ring (DXNet §IV, §V-A):
 * claim, export in place, commit, signal. Any thread.
 *
 * <p>Performance sketch, one message of 64 bytes, ring not full: one array load for the connection,
 * one CAS for the claim, ten bytes of header and the payload written once, one store for the
 * commit, four loads to find that the transport's thread will send. No allocation.
 *
 * <p>It has more than 400 lines: one path from the call to the ring, which
 * the compiler inlines as a whole.
 */
public final class Sender implements RingExporter.Regions {
    /** A request on its way: its response comes by the connection that it is sent by. */
    public interface Awaited {
        /**
         * Sets the connection, before the request is committed. The sending thread.
         *
         * @param connection null as long as it is not known
         */
        void connection(@Nullable PeerConnection connection);

        /**
         * {@return whether its time is over: it is not sent any more} The sending thread, after it
         * has waited.
         */
        boolean isOver();
    }

    private static final long RETRY = -3;
    private static final String CONNECTION = "a connection";

    /**
     * A backlog worth a system call of its own: the caller writes it instead of
     * leaving it to the transport's thread.
     */
    private static final int WRITE_BYTES = 64 << 10;

    /**
     * How many lone messages the caller writes at once, in a tick of about 10 ms. So few messages
     * are sent without a thread hop, and a stream of them is left to gather.
     */
    private static final int LONE_WRITES_PER_TICK = 128;

    /**
     * The time of a tick that lone messages may use, a twentieth. Where a write costs more than
     * all that a caller does otherwise, and the device has finished when it returns,
     * each message would be a lone one.
     */
    private static final int LONE_WRITES_NS_PER_TICK = 500_000;

    private final IntPredicate isExclusive; // of the key of a type
    private final Transport transport;
    private final SenderThreads threads;
    private final RingExporter spare = new RingExporter(); // under its monitor
    private final BackPressure backPressure;
    private final Connections connections;
    private final StreamOpener opener;
    private final int maxMessageBytes;
    private final boolean sendByCaller;
    private final int streamFrom;
    private final int regionMax;

    public Sender(
            DXNetConfig config,
            IntPredicate isExclusive,
            Transport transport,
            IdleStrategies strategies,
            Connections connections,
            StreamOpener opener) {
        this(config, isExclusive, transport, strategies, connections, opener, new SenderThreads());
    }

    Sender(
            DXNetConfig config,
            IntPredicate isExclusive,
            Transport transport,
            IdleStrategies strategies,
            Connections connections,
            StreamOpener opener,
            SenderThreads threads) {
        this.threads = threads;
        this.isExclusive = isExclusive;
        this.transport = transport;
        this.backPressure = new BackPressure(config, transport, strategies, connections);
        this.connections = connections;
        this.opener = opener;
        this.maxMessageBytes = config.maxMessageBytes();
        this.sendByCaller = config.sendByCaller();
        // Larger ones are streamed in regions of a quarter: while one is on the wire,
        // the next is written.
        this.streamFrom = config.ringBytes() / 2;
        this.regionMax = Math.max(1, config.ringBytes() / 4);
    }

    public SenderThreads threads() {
        return threads;
    }

    public long timesBlocked() {
        return backPressure.timesBlocked();
    }

    /**
     * Sends a message to one node.
     *
     * @param control category and flags besides the exclusive one
     * @param pending the request that waits for the answer, or null
     */
    public void send(Message message, int destination, int control, int id, @Nullable Awaited pending)
            throws DXNetException {
        send(threads.current(), message, destination, control, id, pending);
    }

    /** Sends a value to one node. */
    public <T> void send(int destination, MessageType<T> type, T value) throws DXNetException {
        SenderThread thread = threads.current();
        ValueMessage<T> carrier = thread.borrowCarrier();
        try {
            carrier.set(destination, type, value);
            send(thread, carrier, destination, HeaderDescriptor.MESSAGE, 0, null);
        } finally {
            thread.returnCarrier(carrier);
        }
    }

    /** Sends a value to one node unless it would have to wait. */
    public <T> boolean trySend(int destination, MessageType<T> type, T value) throws DXNetException {
        SenderThread thread = threads.current();
        ValueMessage<T> carrier = thread.borrowCarrier();
        try {
            carrier.set(destination, type, value);
            return trySend(thread, carrier, destination, HeaderDescriptor.MESSAGE);
        } finally {
            thread.returnCarrier(carrier);
        }
    }

    /**
     * Sends a message to one node unless it would have to wait.
     *
     * @param control category and flags besides the exclusive one
     */
    public boolean trySend(Message message, int destination, int control) throws DXNetException {
        return trySend(threads.current(), message, destination, control);
    }

    private boolean trySend(SenderThread thread, Message message, int destination, int control) throws DXNetException {
        int payload = checkedSize(message);
        int bytes = payload + HeaderDescriptor.BYTES;
        if (bytes > streamFrom) {
            throw new MessageTooLargeException(MessageName.of(message) + " has " + payload
                    + " bytes, more than trySend can send at once, half of ringBytes: use send, or raise ringBytes");
        }
        PeerConnection connection = connections.connectionTo(destination);
        if (!connection.isOutReady()) {
            connections.leaveIfEnding(connection);
            connections.openOutgoing(connections.connectionTo(destination));
            return false;
        }
        checkNotStreaming(thread, connection);
        int flags = flags(message, control);
        long claim = connection.ring().tryClaim(bytes, Window.OBSERVED);
        if (claim < 0) {
            connections.leaveIfEnding(connection);
            return false;
        }
        write(thread, connection, message, flags, 0, payload, claim);
        return true;
    }

    private void send(
            SenderThread thread, Message message, int destination, int control, int id, @Nullable Awaited pending)
            throws DXNetException {
        int payload = checkedSize(message);
        int flags = flags(message, control);
        for (; ; ) {
            PeerConnection connection = connections.connectionTo(destination);
            if (thread.engineThread != null && !connection.isOutReady()) {
                connection = connections.usableNow(
                        connection,
                        pending == null ? ConnectionLife::acceptsMessages : ConnectionLife::acceptsRequests);
            }
            if (pending != null) {
                pending.connection(connection);
            }
            // Checked after the pending request has its connection: the end of a connection waits
            // for the requests that it finds, and a later one would get no answer.
            if ((pending == null || connection.life().acceptsRequests())
                    && export(thread, connection, message, flags, id, payload, pending)) {
                return;
            }
            connections.leaveIfEnding(connection);
        }
    }

    /**
     * Sends a response on the connection that its request came by: on another one,
     * no thread waits for it.
     *
     * @param control {@link HeaderDescriptor#RESPONSE}, with or without
     *     {@link HeaderDescriptor#FAILED}, or {@link HeaderDescriptor#REJECTED}
     * @throws ConnectionLostException when that connection has ended;
     *     that was reported to the requester
     * @throws NetClosedException when this node is being closed and has ended that connection
     */
    public void respond(Message message, PeerConnection connection, int id, int control) throws DXNetException {
        SenderThread thread = threads.current();
        boolean outer = thread.responding;
        thread.responding = true;
        try {
            respond(thread, message, connection, id, control);
        } finally {
            thread.responding = outer;
        }
    }

    private void respond(SenderThread thread, Message message, PeerConnection connection, int id, int control)
            throws DXNetException {
        int payload = checkedSize(message);
        int flags = flags(message, control);
        while (connection.life().acceptsResponses()) {
            if (!connection.isOutReady()) {
                opener.openStream(connection, thread.engineThread);
                continue;
            }
            boolean sent = connection.isHandedOver()
                    ? stream(thread, connection, message, flags, id, payload, null)
                    : export(thread, connection, message, flags, id, payload, null);
            if (sent) {
                return;
            }
        }
        throw ended(
                "this DXNet was closed before " + MessageName.of(message) + " was sent to node " + connection.nodeId(),
                MessageName.of(message) + " was not sent: the connection to node " + connection.nodeId()
                        + " that its request came by has ended, which was reported to the requester");
    }

    private int checkedSize(Message message) {
        int payload = message.sizeOfObject();
        if ((payload | message.type()) < 0 || payload > maxMessageBytes) {
            throw cannotSend(message, payload);
        }
        return payload;
    }

    private int flags(Message message, int control) {
        return isExclusive.test(HeaderDescriptor.key(message.type(), message.subtype(), control))
                ? control | HeaderDescriptor.EXCLUSIVE
                : control;
    }

    /** {@return false when another connection has to be used} */
    private boolean export(
            SenderThread thread,
            PeerConnection connection,
            Message message,
            int flags,
            int id,
            int payload,
            @Nullable Awaited pending)
            throws DXNetException {
        int bytes = payload + HeaderDescriptor.BYTES;
        if (bytes > streamFrom) {
            return stream(thread, connection, message, flags, id, payload, pending);
        }
        long claim = connection.ring().tryClaim(bytes, thread.window());
        if (claim < 0) {
            claim = awaitClaim(thread, connection, bytes, pending);
            if (claim == RETRY) {
                return false;
            }
        }
        write(thread, connection, message, flags, id, payload, claim);
        return true;
    }

    /** Writes a message into the region claimed for it. */
    private void write(
            SenderThread thread,
            PeerConnection connection,
            Message message,
            int control,
            int id,
            int payload,
            long claim)
            throws DXNetException {
        OutgoingRingBuffer ring = connection.ring();
        int bytes = payload + HeaderDescriptor.BYTES;
        connection.sending(bytes);
        RingExporter exporter;
        try {
            exporter = thread.borrowExporter();
        } catch (Throwable e) { // the heap is full; a region that is not committed stops the ring
            synchronized (spare) {
                abort(spare, ring, claim, bytes, message, payload);
            }
            ring.commit(claim, bytes);
            transport.dataPosted(connection);
            throw e;
        }
        boolean failed = true;
        try {
            exporter.begin(ring, claim, bytes);
            exporter.writeHeader(
                    HeaderDescriptor.word(id, control, message.type(), message.subtype(), payload),
                    HeaderDescriptor.tail(payload));
            message.exportObject(exporter);
            if (exporter.missing() != 0) {
                throw otherSize(message, exporter.missing());
            }
            failed = false;
        } catch (Throwable e) {
            abort(exporter, ring, claim, bytes, message, payload);
            throw e;
        } finally {
            thread.returnExporter(exporter);
            ring.commit(claim, bytes);
            if (failed) {
                transport.dataPosted(connection); // what is behind it may be signalled already
            }
        }
        sent(thread, connection, message, control, bytes);
    }

    /**
     * Makes of a half-written message one that the receiver drops: the region is
     * claimed and must be sent.
     */
    private static void abort(
            RingExporter exporter, OutgoingRingBuffer ring, long claim, int bytes, Message message, int payload) {
        exporter.begin(ring, claim, bytes);
        exporter.writeHeader(
                HeaderDescriptor.word(0, HeaderDescriptor.ABORTED, message.type(), message.subtype(), payload),
                HeaderDescriptor.tail(payload));
        exporter.fill();
    }

    private void sent(SenderThread thread, PeerConnection connection, Message message, int control, int bytes)
            throws DXNetException {
        thread.sent(bytes);
        signal(thread, connection, control, bytes);
        if (connection.isLost()) {
            String what = MessageName.of(message) + " was being sent: it may not have been delivered";
            throw ended(
                    "this DXNet was closed while " + what,
                    connection + " ended while " + what + "; send it again if it may arrive twice");
        }
    }

    // ---------------------------------------------------------------- signalling

    private void signal(SenderThread thread, PeerConnection connection, int control, int bytes) {
        if (thread.signals != SenderThread.Signals.AT_ONCE) {
            signalInBatch(thread, connection, control);
            return;
        }
        if (!sendByCaller) {
            transport.dataPosted(connection);
            return;
        }
        long pending = connection.ring().pending();
        if (isWorthWriting(connection, pending, control)) {
            transmit(connection);
        } else if (pending <= bytes && connection.mayWriteLone(LONE_WRITES_PER_TICK, LONE_WRITES_NS_PER_TICK)) {
            long beginNs = System.nanoTime();
            transmit(connection);
            connection.loneWritten(System.nanoTime() - beginNs);
        } else {
            transport.dataPosted(connection);
        }
    }

    /**
     * A handler answers a batch of messages with a batch of messages, signalled once, at its end.
     * Requests, and what its last callback sends first, are signalled when they are sent.
     */
    private void signalInBatch(SenderThread thread, PeerConnection connection, int control) {
        PeerConnection other = thread.unsignalled;
        if (thread.signals == SenderThread.Signals.LAST_CALLBACK
                || (control & HeaderDescriptor.CATEGORY_MASK) == HeaderDescriptor.REQUEST) {
            thread.signals = SenderThread.Signals.AT_END_OF_BATCH;
            if (other == connection) {
                thread.unsignalled = null;
            }
            transmit(connection);
        } else if (other != connection) {
            thread.unsignalled = connection;
            if (other != null) {
                transmit(other);
            }
        }
    }

    /**
     * Whether the caller writes: a thread waits for a request or response; much is not posted. What
     * is posted and not confirmed does not count: else, on a wire that confirms late, each message
     * would be posted alone.
     */
    private static boolean isWorthWriting(PeerConnection connection, long pending, int control) {
        return (control & HeaderDescriptor.CATEGORY_MASK) != HeaderDescriptor.MESSAGE
                || pending >= WRITE_BYTES && connection.ring().unposted() >= WRITE_BYTES;
    }

    private void transmit(PeerConnection connection) {
        if (!sendByCaller || !transport.sendNow(connection)) {
            transport.dataPosted(connection);
        }
    }

    /**
     * Signals what a handler's batch has sent: at its end, and before one of its callbacks waits.
     */
    public void flush(SenderThread thread) {
        PeerConnection connection = thread.unsignalled;
        if (connection != null) {
            thread.unsignalled = null;
            transmit(connection);
        }
    }

    // ---------------------------------------------------------------- large messages

    private boolean stream(
            SenderThread thread,
            PeerConnection connection,
            Message message,
            int control,
            int id,
            int payload,
            @Nullable Awaited pending)
            throws DXNetException {
        if (!awaitLock(thread, connection, control, pending)) {
            return false;
        }
        RingExporter exporter;
        try {
            exporter = thread.borrowExporter();
        } catch (Throwable e) { // the heap is full
            connection.unlock();
            throw e;
        }
        int length = payload + 1; // the trailer
        connection.sending(HeaderDescriptor.BYTES + length);
        PeerConnection outer = thread.streaming;
        thread.streaming = connection;
        RingExporter.StreamBroken broken;
        try {
            exporter.beginStream(this, connection, HeaderDescriptor.BYTES + payload, regionMax);
            streamOut(
                    exporter,
                    message,
                    HeaderDescriptor.word(
                            id, control | HeaderDescriptor.STREAMED, message.type(), message.subtype(), length),
                    HeaderDescriptor.tail(length));
        } finally {
            try {
                exporter.endStream(); // whatever happened: the ring must not be left with a hole
            } finally {
                broken = exporter.broken();
                thread.streaming = outer;
                try {
                    leaveStream(connection, exporter);
                } finally {
                    thread.returnExporter(exporter);
                }
            }
        }
        if (broken != null) {
            throw broken.reason();
        }
        sent(thread, connection, message, control, HeaderDescriptor.BYTES + length);
        return true;
    }

    /** Unlocks the ring; ends the connection first where half a message is on its way. */
    @SuppressWarnings("NullAway") // a broken stream has a message
    private void leaveStream(PeerConnection connection, RingExporter exporter) {
        try {
            RingExporter.StreamBroken broken = exporter.broken();
            if (exporter.isWhole()) {
                if (connection.tail() == PeerConnection.Tail.OPEN) {
                    StreamMarks.writeRequestedBarrier(connection);
                }
            } else if (broken == null) {
                connections.lost(connection, Disconnect.Reason.LOST, "an error ended a large message half-way");
            } else if (broken.isTimeout()) {
                connections.lost(connection, Disconnect.Reason.STALLED, broken.getMessage());
            } // else the ring was closed under it: that thread knows why, and reads what has arrived
        } finally {
            connection.unlock();
        }
    }

    /**
     * Exports header, payload and trailer. An exception of the application leaves a
     * whole message behind that the receiver drops.
     */
    private static void streamOut(RingExporter exporter, Message message, long word, short tail) {
        byte trailer = HeaderDescriptor.TRAILER_ABORTED;
        boolean isHeaded = false;
        try {
            exporter.writeHeader(word, tail);
            isHeaded = true;
            message.exportObject(exporter);
            if (exporter.missing() != 0 && exporter.broken() == null) {
                throw otherSize(message, exporter.missing());
            }
            trailer = HeaderDescriptor.TRAILER_WHOLE;
        } catch (RingExporter.StreamBroken e) {
            // The caller checks broken(), which also knows of one that the application caught.
        } finally {
            if (isHeaded && exporter.broken() == null) {
                finish(exporter, trailer);
            }
        }
    }

    private static void finish(RingExporter exporter, byte trailer) {
        try {
            exporter.writeTrailer(trailer);
        } catch (RingExporter.StreamBroken e) {
            // as above
        }
    }

    private boolean awaitLock(SenderThread thread, PeerConnection connection, int control, @Nullable Awaited pending)
            throws DXNetException {
        boolean isResponse = HeaderDescriptor.isResponding(control);
        if (connection.tryLock(isResponse)) {
            return true;
        }
        SendWait wait = backPressure.begin(thread, connection);
        try {
            while (!connection.tryLock(isResponse)) {
                checkNotStreaming(thread, connection);
                boolean isOfUse = isResponse && connection.isHandedOver()
                        ? connection.life().acceptsResponses()
                        : isUsable(thread, connection, pending);
                if (!isOfUse) {
                    return false;
                }
                backPressure.step(thread, wait);
            }
            return true;
        } finally {
            backPressure.end(thread, wait);
        }
    }

    @Override
    public int claim(PeerConnection connection, int bytesMax) throws DXNetException {
        SenderThread thread = threads.current();
        int bytes = connection.ring().tryClaimLocked(bytesMax, thread.window());
        if (bytes == 0) {
            SendWait wait = backPressure.begin(thread, connection);
            try {
                while (bytes == 0) {
                    backPressure.step(thread, wait);
                    bytes = connection.ring().tryClaimLocked(bytesMax, thread.window());
                }
            } finally {
                backPressure.end(thread, wait);
            }
        }
        if (bytes < 0) {
            throw ended(
                    "this DXNet was closed while a message was being streamed to node " + connection.nodeId(),
                    connection + " ended while a message was being streamed into it");
        }
        return bytes;
    }

    @Override
    public void committed(PeerConnection connection) {
        transmit(connection);
    }

    // ---------------------------------------------------------------- waiting

    private long awaitClaim(SenderThread thread, PeerConnection connection, int bytes, @Nullable Awaited pending)
            throws DXNetException {
        OutgoingRingBuffer ring = connection.ring();
        SendWait wait = null;
        try {
            for (; ; ) {
                if (!isUsable(thread, connection, pending)) {
                    return RETRY;
                }
                if (wait == null || backPressure.mayLook(wait)) {
                    long claim = ring.tryClaim(bytes, thread.window());
                    if (claim >= 0) {
                        return claim;
                    }
                }
                if (wait == null) {
                    // May wait a while: check again first.
                    wait = backPressure.begin(thread, connection);
                } else {
                    backPressure.step(thread, wait);
                    checkTime(pending, connection, "room");
                }
            }
        } finally {
            if (wait != null) {
                backPressure.end(thread, wait);
            }
        }
    }

    /** A request that its thread does not wait for any more is not sent. */
    private static void checkTime(@Nullable Awaited pending, PeerConnection connection, String waitedFor)
            throws SendTimeoutException {
        if (pending != null && pending.isOver()) {
            throw new SendTimeoutException("a request to node " + connection.nodeId()
                    + " was not sent: its time was over while it waited for " + waitedFor);
        }
    }

    private static void checkNotStreaming(SenderThread thread, PeerConnection connection) {
        if (thread.streaming == connection) {
            throw new MessagingUsageException("exportObject of a message that is streamed to node "
                    + connection.nodeId() + " sends another message to the same node: send it before or after");
        }
    }

    /** Connects where that is what is missing; false when another connection has to be used. */
    private boolean isUsable(SenderThread thread, PeerConnection connection, @Nullable Awaited pending)
            throws DXNetException {
        checkNotStreaming(thread, connection);
        if (!connection.life().acceptsMessages()) {
            return false;
        }
        if (!connection.isOutReady()) {
            if (!connection.isOpen()) {
                boolean isOpen = opener.awaitOpen(connection, thread.engineThread);
                checkTime(pending, connection, CONNECTION);
                return isOpen;
            }
            if (pending != null) {
                // The end of this connection must not wait for a request that may
                // be sent on another one.
                pending.connection(null);
            }
            PeerConnection usable = opener.await(connection.nodeId(), thread.engineThread);
            checkTime(pending, connection, CONNECTION);
            return usable == connection && pending == null;
        }
        return true;
    }

    // ---------------------------------------------------------------- errors

    /**
     * {@return the exception of a message whose connection has ended}
     *
     * @throws NetClosedException instead, where this node is being closed
     */
    private ConnectionLostException ended(String closedText, String lostText) {
        if (connections.isClosing()) {
            throw new NetClosedException(closedText);
        }
        return new ConnectionLostException(lostText);
    }

    private RuntimeException cannotSend(Message message, int payload) {
        if (message.type() < 0) {
            return new MessagingUsageException(MessageName.of(message) + " has no type: pass one to its constructor");
        }
        if (payload < 0) {
            return new MessagingUsageException(
                    MessageName.of(message) + ".sizeOfObject() returned " + payload + ": it must not be negative");
        }
        return new MessageTooLargeException(MessageName.of(message) + " has " + payload + " bytes, more than "
                + maxMessageBytes + " (maxMessageBytes): raise the limit on all nodes, or split the message");
    }

    private static MessagingUsageException otherSize(Message message, int missing) {
        return new MessagingUsageException(
                MessageName.of(message) + ".exportObject wrote " + (missing < 0 ? "more" : missing + " bytes less")
                        + " than sizeOfObject() returned: the two must agree");
    }
}
