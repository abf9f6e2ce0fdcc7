package io.dxnet.transport.handshake;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;
import io.dxnet.transport.security.TlsSecurity;
import io.dxnet.transport.tls.ByteStream;
import io.dxnet.transport.tls.TlsChannel;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The active side of the handshake: opens a channel for the direction from this node, then
 * hands it to the transport (DXNet §IX-1). It does so on the calling thread, in blocking mode,
 * with a time limit for every step. Any thread that may block.
 */
public final class Connector {
    /**
     * A connection whose direction from this node is being opened. The thread
     * that calls {@link #connect}.
     */
    public interface Opening {
        /** {@return the other node, 0 to 65535} */
        int nodeId();

        /**
         * Sets the channel that is in the handshake, so that closing the connection
         * can end it by closing the channel.
         *
         * @param channel null: none any more
         * @return false when the connection is closed already
         */
        boolean connecting(@Nullable SocketChannel channel);

        /**
         * {@return whether this node has closed the connection, which is then the
         * reason of any failure}
         */
        boolean isClosed();

        /** {@return the hello to be sent} Asked for when the channel is connected. */
        Hello hello();

        /**
         * The other node has proved that it has the cluster's key: called before {@link #accepted},
         * and only with {@code security=key}.
         *
         * @param key of the connection, which the other node has too
         */
        default void proved(ConnectionKey key) {}

        /**
         * The other node accepted. The channel is the transport's once this returns,
         * and no longer in the handshake; when it throws, the channel is closed.
         *
         * @param channel connected, in blocking mode, its TLS handshake done
         * @param reply what the other node sent, accepting
         * @throws NodeUnreachableException when the connection can't be used:
         *     nothing else is tried
         * @throws IOException when it was closed, or the channel failed:
         *     another address of the node may be tried
         */
        void accepted(ByteStream channel, Reply reply) throws IOException;
    }

    /** How much of a refusal's reason is shown. */
    private static final int REASON_CHARACTERS_MAX = 256;

    private final NodeSecurity security;
    private final int socketBufferBytes;
    private final @Nullable InetAddress local;

    /**
     * For any number of connections, any threads.
     *
     * @param security what other nodes have to prove
     * @param socketBufferBytes the kernel's send buffer of the channels, bytes;
     *     0: left to the kernel
     */
    public Connector(NodeSecurity security, int socketBufferBytes) {
        this(security, socketBufferBytes, null);
    }

    /**
     * The same from one address of this machine, where routes depend on it.
     *
     * @param security what other nodes have to prove
     * @param socketBufferBytes the kernel's send buffer of the channels, bytes;
     *     0: left to the kernel
     * @param local the address; null: left to the kernel
     */
    public Connector(NodeSecurity security, int socketBufferBytes, @Nullable InetAddress local) {
        this.security = security;
        this.socketBufferBytes = socketBufferBytes;
        this.local = local;
    }

    /**
     * {@return a node for error texts: {@code node 3 at host:4711}}
     *
     * @param nodeId a node
     * @param address where it is
     */
    public static String describe(int nodeId, InetSocketAddress address) {
        return "node " + nodeId + " at " + address.getHostString() + ":" + address.getPort();
    }

    /**
     * Connects to the other node: tries its addresses one after the other.
     *
     * @param opening the connection
     * @param address of the other node, null when the node map has none
     * @param deadlineNs {@link System#nanoTime()} at which it fails
     * @throws NodeUnreachableException with the reason; nothing is left behind
     */
    public void connect(Opening opening, @Nullable InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        if (address == null) {
            throw new NodeUnreachableException("node " + opening.nodeId() + " has no address in the node map");
        }
        String what = describe(opening.nodeId(), address);
        IOException first = null;
        try {
            for (InetAddress host : resolve(address, deadlineNs)) {
                try {
                    connectTo(opening, new InetSocketAddress(host, address.getPort()), deadlineNs, what);
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
        if (opening.isClosed()) {
            throw new StaleConnectionException(what + ": the connection was closed");
        }
        throw new NodeUnreachableException(what + " can't be reached: " + detail(first), first);
    }

    private static String detail(@Nullable IOException e) {
        if (e instanceof SocketTimeoutException) {
            return "it did not answer in time";
        }
        if (e instanceof UnknownHostException) {
            return "its host name is not known";
        }
        return e == null ? "its host name has no address" : Channels.describe(e);
    }

    private void connectTo(Opening opening, InetSocketAddress address, long deadlineNs, String what)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean done = false;
        try {
            if (!opening.connecting(channel)) {
                throw new StaleConnectionException(what + ": the connection was closed");
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (socketBufferBytes > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, socketBufferBytes);
            }
            if (local != null && local.getClass() == address.getAddress().getClass()) {
                channel.bind(new InetSocketAddress(local, 0));
            }
            channel.socket().connect(address, leftMs(deadlineNs));
            TimedChannel timed = new TimedChannel(channel, deadlineNs);
            ByteStream stream = secure(opening.nodeId(), timed, what);
            Hello hello = opening.hello();
            Reply reply = handshake(opening, hello, stream, timed);
            if (reply.status() == Reply.Status.STALE) {
                String detail = what + ": " + Hello.printable(reply.reason());
                throw reply.isEndOf(hello)
                        ? StaleConnectionException.endedByPeer(detail)
                        : new StaleConnectionException(detail);
            }
            if (!reply.accepted()) {
                throw new NodeUnreachableException(
                        what + " refused the connection: " + Hello.printable(reply.reason(), REASON_CHARACTERS_MAX));
            }
            timed.endLimit();
            opening.accepted(stream, reply);
            done = true;
        } finally {
            if (!done) {
                opening.connecting(null);
                Channels.closeQuietly(channel);
            }
        }
    }

    /** Performs the TLS handshake, if there has to be one. */
    private ByteStream secure(int nodeId, TimedChannel timed, String what) throws IOException {
        if (!(security instanceof TlsSecurity tls)) {
            return ByteStream.plain(timed.socket());
        }
        TlsChannel secured = tls.connecting(timed, nodeId);
        try {
            while (secured.handshake() != TlsChannel.Step.DONE) {
                // the channel waits, and has a time limit
            }
            tls.check(secured, nodeId);
        } catch (SSLException | CertificateException e) {
            // Without the cause: its text may be what a stranger wrote into a certificate.
            throw new NodeUnreachableException(what + " can't be trusted: " + Channels.describe(e));
        }
        return ByteStream.secured(timed.socket(), secured);
    }

    private Reply handshake(Opening opening, Hello hello, ByteStream stream, TimedChannel timed) throws IOException {
        TlsChannel tls = stream.tls();
        Reply.Source source = bytes -> {
            ByteBuffer target = ByteBuffer.wrap(bytes);
            while (target.hasRemaining()) {
                int count = tls == null ? timed.read(target) : tls.read(target);
                if (count < 0) {
                    throw new EOFException("it hung up in the handshake: is it a DXNet node?");
                }
            }
        };
        return switch (security) {
            case NoSecurity none -> {
                write(stream, hello.encode());
                yield Reply.read(source);
            }
            case KeySecurity key -> proving(opening, hello, stream, source, new ActiveProof(key));
            case TlsSecurity certificates -> {
                write(stream, hello.encode(HandshakeDescriptor.MODE_TLS));
                yield Reply.read(source);
            }
        };
    }

    /** The handshake in which both nodes prove that they have the cluster's key. */
    private static Reply proving(
            Opening opening, Hello hello, ByteStream stream, Reply.Source source, ActiveProof proof)
            throws IOException {
        write(stream, ByteBuffer.wrap(proof.challenge()));
        Reply refusal = proof.readAnswer(source);
        if (refusal != null) {
            return refusal;
        }
        write(stream, proof.seal(hello));
        Reply reply = proof.readReply(source);
        if (reply.accepted()) {
            opening.proved(proof.key());
        }
        return reply;
    }

    private static void write(ByteStream stream, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            stream.write(bytes); // a fresh socket accepts it at once
        }
    }

    /** What is left, at least 1: 0 would be no limit. */
    static int leftMs(long deadlineNs) throws SocketTimeoutException {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
            throw new SocketTimeoutException("timed out");
        }
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(leftNs), 1, Integer.MAX_VALUE);
    }

    /** Resolves names on a thread of its own, because a look-up has no time limit. */
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
