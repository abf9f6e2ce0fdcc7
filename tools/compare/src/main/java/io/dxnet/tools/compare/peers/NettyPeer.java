package io.dxnet.tools.compare.peers;

import io.dxnet.SecurityMode;
import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.Workload;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Netty: frames with a length before them, {@code writeAndFlush} for each message, in each of the
 * ways of {@link Batching}.
 */
final class NettyPeer implements Peer {
    private static final int FRAME_MAX = 1 << 20;
    private static final long CLOSE_SECONDS = 5;

    private final boolean tls;
    private final Batching batching;
    private final List<String> flags;

    /** What messages that were written one after the other share. */
    enum Batching {
        /** A flush, and with TLS a record: Netty's handler consolidates the flushes. */
        ALL("", ""),
        /** A flush, and no record: each message is encrypted by itself. */
        FLUSH("-records", ", record each"),
        /** Nothing, as where a program does not add that handler. */
        NOTHING("-each", ", flush each");

        private final String suffix;
        private final String words;

        Batching(String suffix, String words) {
            this.suffix = suffix;
            this.words = words;
        }
    }

    private NettyPeer(boolean tls, Batching batching, List<String> flags) {
        this.tls = tls;
        this.batching = batching;
        this.flags = flags;
    }

    /** Plain. */
    NettyPeer() {
        this(false, Batching.ALL, List.of());
    }

    /**
     * With mutual TLS 1.3.
     *
     * @param keys of its processes, which get the paths as system properties
     */
    static NettyPeer withTls(SecurityKeys keys, Batching batching) {
        return new NettyPeer(true, batching, keys.flags(SecurityMode.TLS));
    }

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                "netty" + (tls ? "-tls" : "") + batching.suffix,
                "Netty" + (tls ? " TLS" : "") + batching.words,
                Versions.of("netty"),
                tls ? NettyTls.CROSSES : "TCP",
                true,
                "epoll native transport where there is one, else NIO; one event loop and one channel shared by all threads; writeAndFlush of a pooled buffer (length and payload) with a "
                        + "void promise, "
                        + (batching != Batching.NOTHING ? "FlushConsolidationHandler(256, true), " : "")
                        + (batching == Batching.FLUSH ? "SslHandler.setWrapDataSize(0), " : "")
                        + "waits for writability; LengthFieldBasedFrameDecoder, frames "
                        + "read in place; round trips run on the event loop, without a waiting application thread"
                        + (tls ? "; SslHandler with the same certificates, before all other handlers" : ""),
                "https://netty.io/4.2/api/io/netty/handler/flush/FlushConsolidationHandler.html "
                        + "https://netty.io/wiki/native-transports.html",
                "objects, types and callbacks per type, request/response, connections made on demand by node id, flow control up to the "
                        + "receiver's processing"
                        + (tls ? ", a node id in the certificate" : ""),
                "HTTP and other protocols, any wire format");
    }

    @Override
    public String onThisMachine() {
        String channel = Epoll.isAvailable() ? "epoll" : "NIO, because of " + Epoll.unavailabilityCause();
        return tls ? channel + ", TLS by " + NettyTls.PROVIDER : channel;
    }

    @Override
    public List<String> javaFlags() {
        return Stream.concat(NettyFlags.ALL.stream(), flags.stream()).toList();
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        EventLoopGroup group = group();
        Supplier<ChannelHandler> handler = workload.mode() == Workload.Mode.ONE_WAY
                ? () -> new NettyHandlers.Count(inbox.tap())
                : NettyHandlers.Echo::new;
        Channel channel = new ServerBootstrap()
                .group(group)
                .channel(serverType())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(pipeline(handler, tls ? NettyTls.server() : null, batching))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        int port = ((InetSocketAddress) channel.localAddress()).getPort();
        return new Server(group, Integer.toString(port));
    }

    @Override
    public PeerClient connect(Workload workload, String address) throws Exception {
        EventLoopGroup group = group();
        NettyClient client = new NettyClient(group);
        client.connect(new Bootstrap()
                .group(group)
                .channel(clientType())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(pipeline(client::handler, tls ? NettyTls.client() : null, batching))
                .remoteAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)));
        return client;
    }

    /** With TLS where there is a context. */
    private static ChannelInitializer<Channel> pipeline(
            Supplier<ChannelHandler> handler, SslContext tls, Batching batching) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (tls != null) {
                    SslHandler encryption = tls.newHandler(channel.alloc());
                    if (batching == Batching.FLUSH) {
                        encryption.setWrapDataSize(0); // each buffer is a record
                    }
                    channel.pipeline().addLast(encryption);
                }
                if (batching != Batching.NOTHING) {
                    channel.pipeline()
                            .addLast(new FlushConsolidationHandler(
                                    FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true));
                }
                channel.pipeline()
                        .addLast(new LengthFieldBasedFrameDecoder(
                                FRAME_MAX, 0, NettyHandlers.LENGTH_BYTES, 0, NettyHandlers.LENGTH_BYTES))
                        .addLast(handler.get());
            }
        };
    }

    private static EventLoopGroup group() {
        IoHandlerFactory factory = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(1, factory);
    }

    private static Class<? extends ServerSocketChannel> serverType() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    private static Class<? extends SocketChannel> clientType() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    static void close(EventLoopGroup group) throws IOException {
        Future<?> closed = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!Patience.on(() -> closed.await(CLOSE_SECONDS, TimeUnit.SECONDS))) {
            throw new IOException("the event loop does not end");
        }
    }

    private record Server(EventLoopGroup group, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            NettyPeer.close(group);
        }
    }
}
