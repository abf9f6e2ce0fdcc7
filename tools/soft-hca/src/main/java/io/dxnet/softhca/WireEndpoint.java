package io.dxnet.softhca;

import io.dxnet.softhca.roce.Icrc;
import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;

/**
 * The socket of a device on the wire: UDP port 4791 of one IPv4 address, with don't-fragment and
 * never connected, so that packets leave with identification 0, which the check sum covers.
 *
 * <p>Its thread receives packets and watches the time. Threads that poll completion queues do the
 * same while they find nothing, and then the thread leaves it to them: an answer does not wait
 * until another thread runs. A thread that posts sends its packets itself.
 */
final class WireEndpoint {
    /** Of Linux, {@code errno.h}. */
    private static final int EADDRINUSE = 98;

    private static final int EADDRNOTAVAIL = 99;
    private static final int SOCKET_BYTES = 4 << 20;

    /** As many as a full socket holds: Linux doubles its size, the smallest count as 768 bytes. */
    private static final int FULL_SOCKET_PACKETS = 2 * SOCKET_BYTES / 768;

    /** So many polls in a tick of the thread show that others receive. */
    private static final int MANY_POLLS = 50;

    /** The part of a socket that the packets of one connection may need. */
    private static final int SOCKET_SHARE = 4;

    /** Of one connection, also where the host lets a socket hold less than four of it. */
    private static final int WINDOW_BYTES_MIN = 128 << 10;

    private static final long TICK_NS = 500_000;

    /** How long packets wait at most where the next time is too near for the selector. */
    private static final long NAP_NS = 50_000;

    private static final long MILLISECOND_NS = 1_000_000;

    private final SoftDevice device;
    private final DatagramChannel channel;
    private final Selector selector;
    private final int windowBytes;
    private final Thread thread;

    /** Writes the packets to a file, or null. */
    private final WireCapture capture;

    /** The connections that wait for answers; any thread, under the requester lock of one. */
    private final CopyOnWriteArrayList<SoftQueuePair> connections = new CopyOnWriteArrayList<>();

    /** Guards all that receiving needs. */
    private final SpinLock receiveLock = new SpinLock();

    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private final Answering answering = new Answering();
    private final ReceiveBatch batch = new ReceiveBatch();
    private SocketAddress lastSender;
    private int lastSource;
    private int lastPort;

    /** Packets received since a connection was due and not asked; under the receive lock. */
    private int packetsSinceDue;

    /** Whether the last batch left the socket empty; under the receive lock. */
    private boolean isSocketEmpty;

    /**
     * The polls so far, also those that found another thread receiving;
     * any thread, and one more or less does no harm.
     */
    private volatile int polls;

    /** No connection is due before; any thread lowers it. */
    private final AtomicLong nextDueNs = new AtomicLong(Long.MAX_VALUE);

    /** Until when the thread sleeps unless it is woken; its own, read by all. */
    private volatile long sleepsUntilNs = Long.MIN_VALUE;

    /** Whether an application waits for an event, so that the thread has to receive; any thread. */
    private volatile boolean eventsWanted;

    /**
     * Whether the thread leaves all to those that poll, and comes back within two ticks after the
     * last poll; its own, read under the receive lock.
     */
    private volatile boolean isLeftToPolls;

    private volatile boolean closed;

    private WireEndpoint(SoftDevice device, DatagramChannel channel, Selector selector) throws IOException {
        this.device = device;
        this.channel = channel;
        this.selector = selector;
        this.windowBytes =
                Math.max(WINDOW_BYTES_MIN, channel.getOption(StandardSocketOptions.SO_RCVBUF) / SOCKET_SHARE);
        this.capture = WireCapture.open(device);
        this.thread = new Thread(this::run, "soft-hca-" + device.name());
        thread.setDaemon(true);
    }

    /** Opens the socket; fails with the error number of what hinders it. */
    static WireEndpoint open(SoftDevice device) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            channel.bind(WireAddress.socketAddress(device.address()));
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            WireEndpoint endpoint = new WireEndpoint(device, channel, selector);
            endpoint.thread.start();
            return endpoint;
        } catch (IOException e) {
            closeQuietly(channel);
            boolean isOwn = device.isOwnAddress();
            System.getLogger("io.dxnet.softhca")
                    .log(
                            System.Logger.Level.WARNING,
                            "device " + device.name() + " cannot use UDP port " + WireAddress.PORT + ": "
                                    + e.getMessage());
            throw new VerbError(isOwn ? EADDRINUSE : EADDRNOTAVAIL);
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            System.getLogger("io.dxnet.softhca").log(System.Logger.Level.DEBUG, "close", e);
        }
    }

    /** Closes the socket and ends the thread, which this call does not wait for. */
    void close() {
        closed = true;
        closeQuietly(channel);
        // The port is free when the selector, too, has let the channel fall.
        closeQuietly(selector);
        closeQuietly(capture);
        LockSupport.unpark(thread);
    }

    /** Sends a packet with its check sum; what the kernel does not accept is lost. Any thread. */
    void send(ByteBuffer bytes, int length, InetSocketAddress to) {
        if (capture != null) {
            capture.sent(bytes, length, to);
        }
        bytes.limit(length).position(0);
        try {
            channel.send(bytes, to);
        } catch (IOException e) {
            if (!closed) {
                System.getLogger("io.dxnet.softhca").log(System.Logger.Level.TRACE, "a packet is lost", e);
            }
        } finally {
            bytes.clear();
        }
    }

    /**
     * What the socket of a connection's receiver is expected to hold for it, bytes. The receiver's
     * socket is not known: hosts of one network mostly let sockets hold the same.
     */
    int windowBytes() {
        return windowBytes;
    }

    void add(SoftQueuePair qp) {
        connections.add(qp);
    }

    void remove(SoftQueuePair qp) {
        connections.remove(qp);
    }

    /** Lets a connection be asked at a time. Any thread. */
    void schedule(long dueNs) {
        if (dueNs < nextDueNs.get()) {
            nextDueNs.accumulateAndGet(dueNs, Math::min);
            if (dueNs < sleepsUntilNs) {
                selector.wakeup();
            }
        }
    }

    /**
     * Receives what has arrived, for a thread that found its completion queue empty and holds no
     * lock. Where others poll so often that the thread leaves it to them, acknowledgements are sent
     * by one of the next polls, or by the thread: an application that answers a message does so
     * first.
     *
     * @return whether something may have come since
     */
    boolean poll() {
        polls++;
        if (!receiveLock.tryLock()) {
            return false;
        }
        boolean active;
        try {
            active = work(!isLeftToPolls);
        } finally {
            receiveLock.unlock();
        }
        Fabric.runDeferred();
        return active;
    }

    /** An application is about to wait for an event: the endpoint's thread receives again. */
    void stopPolling() {
        eventsWanted = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        int seen = 0;
        while (!closed) {
            try {
                int count = polls;
                if (count - seen >= MANY_POLLS && !eventsWanted) {
                    // Those that poll do all: a thread that loses its core here would stop them.
                    isLeftToPolls = true;
                    LockSupport.parkNanos(TICK_NS);
                    isLeftToPolls = false;
                } else {
                    eventsWanted = false;
                    receiveOrSleep();
                }
                seen = count;
            } catch (Throwable thrown) {
                if (!closed) {
                    Upcalls.report(device.name(), thrown);
                }
            }
        }
    }

    private void receiveOrSleep() throws IOException {
        boolean active;
        receiveLock.lock();
        try {
            active = work(true);
        } finally {
            receiveLock.unlock();
        }
        Fabric.runDeferred();
        if (!active) {
            sleep();
        }
    }

    private void sleep() throws IOException {
        long due = nextDueNs.get();
        long left = due - System.nanoTime();
        if (due == Long.MAX_VALUE || left >= MILLISECOND_NS) {
            sleepsUntilNs = due;
            if (nextDueNs.get() >= due) {
                selector.select(due == Long.MAX_VALUE ? 0 : left / MILLISECOND_NS);
            } else {
                selector.selectNow();
            }
            sleepsUntilNs = Long.MIN_VALUE;
            selector.selectedKeys().clear();
        } else if (left > 0) {
            LockSupport.parkNanos(Math.min(left, NAP_NS));
        }
    }

    /**
     * Answers what was received before, receives a batch, and asks the connections that are due.
     * Under the receive lock.
     *
     * @param answersAtOnce whether the batch is answered too; if not, it is soon
     * @return whether something may be left to do
     */
    private boolean work(boolean answersAtOnce) {
        boolean active = (answering.isDue() || answersAtOnce) && answering.send();
        int count = receive();
        active |= count > 0;
        if (answersAtOnce) {
            active |= answering.send();
        }
        return active | checkTime(count);
    }

    /**
     * Asks the connections that are due. What arrived before is processed first: the answer that a
     * connection waits for may be in the socket, behind what others send. So a slow machine neither
     * repeats what was answered long ago nor fails.
     *
     * @param received how many packets the last batch had
     */
    private boolean checkTime(int received) {
        long now = System.nanoTime();
        if (nextDueNs.get() > now) {
            return false;
        }
        packetsSinceDue += received;
        if (!isSocketEmpty && packetsSinceDue < FULL_SOCKET_PACKETS) {
            return true;
        }
        packetsSinceDue = 0;
        nextDueNs.set(Long.MAX_VALUE);
        for (SoftQueuePair qp : connections) {
            WireSends sends = qp.sends().wire();
            if (sends.dueNs() <= now) {
                sends.onTime(now);
            } else if (sends.dueNs() != Long.MAX_VALUE) {
                nextDueNs.accumulateAndGet(sends.dueNs(), Math::min);
            }
        }
        return true;
    }

    /** Receives a batch at most, and returns how many packets came. */
    private int receive() {
        ByteBuffer bytes = packet.bytes();
        int count = 0;
        try {
            for (; count < batch.size(); count++) {
                bytes.clear();
                SocketAddress sender = channel.receive(bytes);
                if (sender == null) {
                    break;
                }
                int length = bytes.position();
                bytes.clear();
                if (device.isPortUp() && packet.parse(length)) {
                    dispatch(sender);
                }
            }
        } catch (IOException e) {
            if (!closed) {
                System.getLogger("io.dxnet.softhca").log(System.Logger.Level.TRACE, "nothing received", e);
            }
        }
        isSocketEmpty = count < batch.size();
        batch.received(count);
        return count;
    }

    private void dispatch(SocketAddress sender) {
        if (sender != lastSender) {
            InetSocketAddress from = (InetSocketAddress) sender;
            if (!(from.getAddress() instanceof Inet4Address)) {
                return;
            }
            lastSender = sender;
            lastSource = ByteBuffer.wrap(from.getAddress().getAddress()).getInt();
            lastPort = from.getPort();
        }
        int length = packet.length();
        int identification = icrc.identification(packet.bytes(), length, lastSource, lastPort, device.address());
        if (capture != null) {
            int whole = length + Packet.CHECK_BYTES;
            capture.received(packet.bytes(), whole, lastSource, lastPort, Math.max(0, identification));
        }
        if (identification < 0) {
            return;
        }
        SoftQueuePair qp = SoftQueuePair.withNumber(packet.target());
        if (qp == null || qp.device() != device || qp.isDatagram() != Opcode.isDatagram(packet.opcode())) {
            return;
        }
        if (qp.isDatagram()) {
            qp.wire().receiveDatagram(packet, lastSource);
        } else if (Opcode.isResponse(packet.opcode())) {
            qp.sends().wire().receive(packet, lastSource, System.nanoTime());
        } else {
            qp.wire().receive(packet, lastSource);
            answering.add(qp, batch.isSingle() && Opcode.isMessage(packet.opcode()));
        }
    }
}
