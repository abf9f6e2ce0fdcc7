package io.dxnet.softhca;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The socket of a device on the wire: UDP port 4791 of one IPv4 address, with don't-fragment and
 * never connected, so that identifications are counted from 0: the check sum covers them.
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

    /**
     * As many as a full socket holds, one packet or several at once: Linux doubles its size, the
     * smallest count as 768 bytes.
     */
    private static final int FULL_SOCKET_RECEIVES = 2 * SOCKET_BYTES / 768;

    /** So many polls in a tick of the thread show that others receive. */
    private static final int MANY_POLLS = 50;

    /** The part of a socket that the packets of one connection may need. */
    private static final int SOCKET_SHARE = 4;

    /** Of one connection, also where the host lets a socket hold less than four of it. */
    private static final int WINDOW_BYTES_MIN = 128 << 10;

    private static final long TICK_NS = 500_000;

    /** How long packets wait at most where the next time is too near to wait for the socket. */
    private static final long NAP_NS = 50_000;

    private static final long MILLISECOND_NS = 1_000_000;
    private static final long WAIT_MAX_MS = 60_000;

    private final SoftDevice device;
    private final UdpSocket socket;
    private final SendBatches batches = new SendBatches();
    private final int windowBytes;
    private final Thread thread;

    /** Writes the packets to a file, or null. */
    private final WireCapture capture;

    /** The connections that wait for answers; any thread, under the requester lock of one. */
    private final CopyOnWriteArrayList<SoftQueuePair> connections = new CopyOnWriteArrayList<>();

    /** Guards all that receiving needs. */
    private final SpinLock receiveLock = new SpinLock();

    private final Answering answering = new Answering();
    private final WireInput input;

    /** Receives since a connection was due and not asked; under the receive lock. */
    private int receivesSinceDue;

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

    private WireEndpoint(SoftDevice device, UdpSocket socket) {
        this.device = device;
        this.socket = socket;
        this.windowBytes = Math.max(WINDOW_BYTES_MIN, socket.receiveBufferBytes() / SOCKET_SHARE);
        this.capture = WireCapture.open(device);
        this.input = new WireInput(device, socket, answering, capture);
        this.thread = new Thread(this::run, "soft-hca-" + device.name());
        thread.setDaemon(true);
    }

    /** Opens the socket; fails with the error number of what hinders it. */
    static WireEndpoint open(SoftDevice device) {
        UdpSocket socket = openSocket(device);
        WireEndpoint endpoint = null;
        try {
            endpoint = new WireEndpoint(device, socket);
            endpoint.thread.start();
            return endpoint;
        } catch (Throwable thrown) {
            if (endpoint != null) {
                endpoint.close();
            } else {
                socket.close();
            }
            throw thrown;
        }
    }

    private static UdpSocket openSocket(SoftDevice device) {
        try {
            return UdpSocket.open(device.address(), WireAddress.PORT, SOCKET_BYTES);
        } catch (VerbError e) {
            System.getLogger("io.dxnet.softhca")
                    .log(
                            System.Logger.Level.WARNING,
                            "device " + device.name() + " cannot use UDP port " + WireAddress.PORT + ": "
                                    + reason(e.errno()));
            throw e;
        }
    }

    private static String reason(int errno) {
        return switch (errno) {
            case EADDRINUSE -> "another device or process uses it at this address";
            case EADDRNOTAVAIL -> "this machine does not have the address";
            default -> "errno " + errno;
        };
    }

    /** Closes the socket and ends the thread, which this call does not wait for. */
    void close() {
        closed = true;
        socket.close();
        if (capture != null) {
            capture.close();
        }
        LockSupport.unpark(thread);
    }

    UdpSocket socket() {
        return socket;
    }

    SendBatches batches() {
        return batches;
    }

    /**
     * Sends packets with their check sums; what finds no room is lost. Any thread.
     *
     * @return false where the kernel cannot send these packets, or not as one
     */
    boolean send(SendBatch packets, int peer) {
        if (capture != null) {
            capture.sent(packets, peer);
        }
        return socket.send(packets.message(peer));
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
                socket.wake();
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

    private void receiveOrSleep() {
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

    private void sleep() {
        long due = nextDueNs.get();
        long left = due - System.nanoTime();
        if (due == Long.MAX_VALUE || left >= MILLISECOND_NS) {
            sleepsUntilNs = due;
            if (nextDueNs.get() >= due && !closed) {
                socket.await(due == Long.MAX_VALUE ? -1 : (int) Math.min(left / MILLISECOND_NS, WAIT_MAX_MS));
            }
            sleepsUntilNs = Long.MIN_VALUE;
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
        int count = input.receive();
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
     * @param receives how often the last batch received something
     */
    private boolean checkTime(int receives) {
        long now = System.nanoTime();
        if (nextDueNs.get() > now) {
            return false;
        }
        receivesSinceDue += receives;
        if (!input.isEmpty() && receivesSinceDue < FULL_SOCKET_RECEIVES) {
            return true;
        }
        receivesSinceDue = 0;
        nextDueNs.set(Long.MAX_VALUE);
        boolean isWhole = false;
        try {
            isWhole = visitDue(now);
        } finally {
            if (!isWhole) {
                schedule(now + MILLISECOND_NS); // else the times of some would be lost
            }
        }
        return true;
    }

    /** Returns whether none has thrown, which keeps the others from nothing. */
    private boolean visitDue(long now) {
        boolean isWhole = true;
        for (SoftQueuePair qp : connections) {
            WireSends sends = qp.sends().wire();
            if (sends.dueNs() <= now) {
                try {
                    sends.onTime(now);
                } catch (Throwable thrown) {
                    isWhole = false;
                    Upcalls.report("a timeout", thrown);
                }
            } else if (sends.dueNs() != Long.MAX_VALUE) {
                nextDueNs.accumulateAndGet(sends.dueNs(), Math::min);
            }
        }
        return isWhole;
    }
}
