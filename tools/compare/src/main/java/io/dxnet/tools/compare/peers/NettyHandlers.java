package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Tap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The server's last handlers: each gets a frame without its length. */
final class NettyHandlers {
    /** Of the length before each frame. */
    static final int LENGTH_BYTES = 4;

    private NettyHandlers() {}

    /** Counts frames. */
    static final class Count extends ChannelInboundHandlerAdapter {
        private final Tap tap;

        Count(Tap tap) {
            this.tap = tap;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf frame = (ByteBuf) message;
            try {
                int length = frame.readableBytes();
                if (tap.wants(length)) {
                    frame.readBytes(tap.copy());
                }
                tap.received(length);
            } finally {
                frame.release();
            }
        }
    }

    /** Sends frames back. */
    static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf frame = (ByteBuf) message;
            try {
                int length = frame.readableBytes();
                ByteBuf answer = context.alloc().directBuffer(LENGTH_BYTES + length);
                context.writeAndFlush(answer.writeInt(length).writeBytes(frame), context.voidPromise());
            } finally {
                frame.release();
            }
        }
    }
}
