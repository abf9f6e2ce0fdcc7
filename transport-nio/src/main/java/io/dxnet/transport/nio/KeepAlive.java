package io.dxnet.transport.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * TCP keep-alive with short times (tcp(7)): the kernel finds out within seconds that the other
 * end of an idle channel is gone.
 */
final class KeepAlive {
    private static final int IDLE_SECONDS = 1;
    private static final int INTERVAL_SECONDS = 1;
    private static final int PROBES = 3;

    private KeepAlive() {}

    /** Turns it on, as far as the system offers it. Any thread, any number of times. */
    static void enable(SocketChannel channel) {
        try {
            set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
            set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        } catch (IOException e) {
            // closed meanwhile: its end is noticed without
        }
    }

    private static void set(SocketChannel channel, SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }
}
