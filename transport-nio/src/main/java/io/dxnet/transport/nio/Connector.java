package io.dxnet.transport.nio;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.TransportContext;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The active side of the handshake: opens the outgoing channel of a connection on the calling thread, in blocking mode with a
 * time limit for every step, then gives it to the selector agent (DXNet §IX-1). Any thread that may block.
 */
final class Connector {
    private final TransportContext context;
    private final NioOptions options;

    Connector(TransportContext context, NioOptions options) {
        this.context = context;
        this.options = options;
    }

    /**
     * Connects.
     *
     * @throws NodeUnreachableException with the reason; nothing is left behind
     */
    void connect(NioConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        if (address == null) {
            throw new NodeUnreachableException("node " + c.nodeId() + " has no address in the node map");
        }
        String what = "node " + c.nodeId() + " at " + address.getHostString() + ":" + address.getPort();
        IOException first = null;
        try {
            for (InetAddress host : resolve(address, deadlineNs)) {
                try {
                    connectTo(c, new InetSocketAddress(host, address.getPort()), deadlineNs, what);
                    return;
                } catch (NodeUnreachableException e) {
                    throw e; // it was reached, and refused
                } catch (IOException e) {
                    if (first == null) {
                        first = e;
                    }
                }
            }
        } catch (NodeUnreachableException e) {
            throw e;
        } catch (IOException e) {
            first = e;
        }
        throw new NodeUnreachableException(what + " can't be reached: " + detail(c, first), first);
    }

    private String detail(NioConnection c, IOException e) {
        if (c.closeMode() != NioConnection.CloseMode.OPEN) {
            return "the connection was closed";
        }
        if (e instanceof SocketTimeoutException) {
            return "it did not answer in time";
        }
        if (e instanceof UnknownHostException) {
            return "its host name is not known";
        }
        return e == null ? "its host name has no address" : Channels.describe(e);
    }

    private void connectTo(NioConnection c, InetSocketAddress address, long deadlineNs, String what)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean done = false;
        try {
            if (!c.connecting(channel)) {
                throw new IOException("the connection was closed");
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (options.socketBufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, options.socketBufferBytes());
            }
            channel.socket().connect(address, leftMs(deadlineNs));
            Reply reply = handshake(c, channel, deadlineNs);
            if (!reply.accepted()) {
                throw new NodeUnreachableException(
                        what + " refused the connection: " + Hello.printable(reply.reason()));
            }
            channel.configureBlocking(false);
            switch (c.attachOutgoing(channel, reply)) {
                case CLOSED -> throw new IOException("the connection was closed");
                case STALE, OUTDATED -> {
                    c.fail("node " + c.nodeId() + " was restarted, or has begun a new connection");
                    throw new NodeUnreachableException(
                            what + " was restarted, or has begun a new connection, and this one has not ended yet:"
                                    + " try again");
                }
                case YES -> {
                    done = true;
                    c.post(Interest.CONNECT | Interest.READ_FC);
                }
            }
        } finally {
            if (!done) {
                c.connecting(null);
                Channels.closeQuietly(channel);
            }
        }
    }

    private Reply handshake(NioConnection c, SocketChannel channel, long deadlineNs) throws IOException {
        ByteBuffer hello = Hello.of(
                        context.config(),
                        context.nodeMap().ownNodeId(),
                        c.nodeId(),
                        context.incarnation(),
                        c.id(),
                        c.peerConnectionId())
                .encode();
        while (hello.hasRemaining()) {
            channel.write(hello); // a fresh socket takes it at once
        }
        InputStream in = channel.socket().getInputStream();
        return Reply.read(bytes -> {
            for (int at = 0; at < bytes.length; ) {
                channel.socket().setSoTimeout(leftMs(deadlineNs));
                int count = in.read(bytes, at, bytes.length - at);
                if (count < 0) {
                    throw new EOFException("it hung up in the handshake: is it a DXNet node?");
                }
                at += count;
            }
        });
    }

    /** What is left, at least 1: 0 would be no limit. */
    private static int leftMs(long deadlineNs) throws SocketTimeoutException {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
            throw new SocketTimeoutException("timed out");
        }
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(leftNs), 1, Integer.MAX_VALUE);
    }

    /** Names are looked up on a thread of its own, because a look-up has no time limit. */
    private static InetAddress[] resolve(InetSocketAddress address, long deadlineNs) throws IOException {
        if (!address.isUnresolved()) {
            return new InetAddress[] {address.getAddress()};
        }
        String host = address.getHostString();
        try {
            return new InetAddress[] {InetAddress.ofLiteral(host)};
        } catch (IllegalArgumentException e) {
            // a name
        }
        FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> InetAddress.getAllByName(host));
        Thread thread = new Thread(lookup, "dxnet-resolve-" + host);
        thread.setDaemon(true);
        thread.start();
        try {
            return lookup.get(leftMs(deadlineNs), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("looking up " + host + " timed out");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }
}
