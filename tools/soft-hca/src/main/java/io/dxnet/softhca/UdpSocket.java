package io.dxnet.softhca;

import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An unconnected UDP socket of IPv4 with don't-fragment, used through the C library. Datagrams of
 * equal size for one peer, or of one, pass through the kernel as one where it can, unless system
 * property {@value #BATCHES} is {@code false}. Any thread, also while it is closed.
 */
final class UdpSocket implements AutoCloseable {
    /** The property. */
    static final String BATCHES = "io.dxnet.softhca.batches";

    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    private static final int EIO = 5;
    private static final int EBADF = 9;
    private static final int EINVAL = 22;
    private static final int EMSGSIZE = 90;
    private static final int EOPNOTSUPP = 95;

    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_PMTUDISC_DO = 2;

    /** Added to the users of a closed socket. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private final int fd;
    private final int wakeFd;
    private final boolean sendsBatches;
    private final int receiveBufferBytes;

    /** The threads within a system call: negative when closed. */
    private final AtomicInteger users = new AtomicInteger();

    private final AtomicBoolean isAwoken = new AtomicBoolean();

    private UdpSocket(int fd) {
        this.fd = fd;
        boolean wantsBatches = !"false".equals(System.getProperty(BATCHES));
        this.sendsBatches = wantsBatches && UdpCalls.setOption(fd, SOL_UDP, UDP_SEGMENT, 0) == 0;
        if (wantsBatches) {
            // Where that fails, datagrams come one by one.
            UdpCalls.setOption(fd, SOL_UDP, UDP_GRO, 1);
        }
        // Linux doubles what is set, for its own data.
        this.receiveBufferBytes = UdpCalls.option(fd, SOL_SOCKET, SO_RCVBUF) / 2;
        this.wakeFd = LibC.eventDescriptor();
        LibC.setNonBlocking(wakeFd);
    }

    /**
     * Opens a socket.
     *
     * @param bufferBytes of what it sends and of what it receives; the host may let it hold less
     * @throws VerbError with the error number of what hinders it
     */
    static UdpSocket open(int address, int port, int bufferBytes) {
        int fd = check(UdpCalls.socket());
        try {
            check(UdpCalls.setOption(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO));
            check(UdpCalls.setOption(fd, SOL_SOCKET, SO_RCVBUF, bufferBytes));
            check(UdpCalls.setOption(fd, SOL_SOCKET, SO_SNDBUF, bufferBytes));
            check(UdpCalls.bind(fd, address, port));
            return new UdpSocket(fd);
        } catch (Throwable thrown) {
            LibC.close(fd);
            throw thrown;
        }
    }

    private static int check(int result) {
        if (result < 0) {
            throw new VerbError(-result);
        }
        return result;
    }

    /** {@return whether more than one datagram may be sent at once} */
    boolean sendsBatches() {
        return sendsBatches;
    }

    /** {@return the bytes that it is set to hold of received packets} */
    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /**
     * Sends without waiting; what finds no room is lost.
     *
     * @return false where the kernel cannot send these datagrams, or not as one
     */
    boolean send(MessageHeader message) {
        if (!enter()) {
            return true;
        }
        try {
            return switch (-UdpCalls.send(fd, message.address())) {
                case EIO, EINVAL, EMSGSIZE, EOPNOTSUPP -> false;
                default -> true;
            };
        } finally {
            Reference.reachabilityFence(message);
            leave();
        }
    }

    /** Receives without waiting: the bytes, negative where nothing came. */
    int receive(MessageHeader message) {
        if (!enter()) {
            return -EBADF;
        }
        try {
            return UdpCalls.receive(fd, message.address());
        } finally {
            Reference.reachabilityFence(message);
            leave();
        }
    }

    /** Waits for a datagram, for {@link #wake}, or until the time is over; -1 waits for ever. */
    void await(int timeoutMs) {
        if (!enter()) {
            return;
        }
        try {
            UdpCalls.awaitReadable(fd, wakeFd, timeoutMs);
            // In this order: a wake in between has its effect, since this call returns, and one
            // that has set the flag and not raised the descriptor yet lets the next call return.
            LibC.lower(wakeFd);
            isAwoken.set(false);
        } finally {
            leave();
        }
    }

    /** Lets a thread that waits return, or the next one. */
    void wake() {
        if (enter()) {
            if (isAwoken.compareAndSet(false, true)) {
                LibC.raise(wakeFd);
            }
            leave();
        }
    }

    private boolean enter() {
        if (users.incrementAndGet() > 0) {
            return true;
        }
        leave();
        return false;
    }

    private void leave() {
        users.decrementAndGet();
    }

    /** Closes it: the port is free when this returns. A call that waits returns before. */
    @Override
    public void close() {
        if (users.getAndUpdate(count -> count | CLOSED) < 0) {
            return;
        }
        LibC.raise(wakeFd);
        while (users.get() != CLOSED) {
            Thread.yield();
        }
        LibC.close(fd);
        LibC.close(wakeFd);
    }
}
