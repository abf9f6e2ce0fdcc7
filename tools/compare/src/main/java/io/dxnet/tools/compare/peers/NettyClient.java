package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Netty's sending side: one channel, written by any thread. */
final class NettyClient implements PeerClient {
    private static final long LOOK_AGAIN_MS = 10;

    private final EventLoopGroup group;
    private final Object writable = new Object();
    private volatile CompletableFuture<Void> ended = new CompletableFuture<>();
    private Bootstrap bootstrap;
    private Channel channel;
    /** Set before the first message that is answered. */
    private volatile PingPong loop;

    NettyClient(EventLoopGroup group) {
        this.group = group;
    }

    /** Connects, with the handshake of TLS where there is one. */
    void connect(Bootstrap to) throws Exception {
        bootstrap = to;
        channel = to.connect().sync().channel();
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.handshakeFuture().sync();
        }
    }

    @Override
    public boolean reconnect() throws Exception {
        channel.close().sync();
        ended = new CompletableFuture<>();
        connect(bootstrap);
        return true;
    }

    /** The last handler of the channel. */
    ChannelHandler handler() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelWritabilityChanged(ChannelHandlerContext context) {
                synchronized (writable) {
                    writable.notifyAll();
                }
            }

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                answered((ByteBuf) message);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                ended.completeExceptionally(cause);
                context.close();
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                ended.completeExceptionally(new IOException("the connection has ended"));
            }
        };
    }

    @Override
    public Sender sender(int thread) {
        return payload -> {
            if (!channel.isWritable()) {
                awaitWritable();
                return false;
            }
            channel.writeAndFlush(frame(payload), channel.voidPromise());
            return true;
        };
    }

    private void awaitWritable() throws Exception {
        if (ended.isCompletedExceptionally()) {
            ended.get();
        }
        synchronized (writable) {
            if (!channel.isWritable()) {
                writable.wait(LOOK_AGAIN_MS);
            }
        }
    }

    @Override
    public void pingPong(PingPong trips) throws Exception {
        loop = trips;
        channel.eventLoop().execute(this::next);
        ended.get(trips.secondsMax(), TimeUnit.SECONDS);
    }

    private void next() {
        if (loop.next()) {
            channel.writeAndFlush(frame(loop.payload()), channel.voidPromise());
        } else {
            ended.complete(null);
        }
    }

    private void answered(ByteBuf frame) {
        try {
            int length = frame.readableBytes();
            if (loop.wants(length)) {
                frame.readBytes(loop.copy());
            }
            loop.answered(length);
        } finally {
            frame.release();
        }
        next();
    }

    private ByteBuf frame(byte[] payload) {
        return channel.alloc()
                .directBuffer(NettyHandlers.LENGTH_BYTES + payload.length)
                .writeInt(payload.length)
                .writeBytes(payload);
    }

    @Override
    public void close() throws IOException {
        NettyPeer.close(group);
    }
}
