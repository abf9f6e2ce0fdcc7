package io.dxnet.tools.compare.peers;

import java.util.List;

/**
 * What Netty needs on new JDKs to run as it does on older ones:
 * https://github.com/netty/netty/wiki/Java-24-and-sun.misc.Unsafe
 */
final class NettyFlags {
    /** For Netty itself. */
    static final List<String> ALL = flags("io.netty.noUnsafe");

    /** For the Netty inside of gRPC. */
    static final List<String> GRPC = flags("io.grpc.netty.shaded.io.netty.noUnsafe");

    private NettyFlags() {}

    private static List<String> flags(String property) {
        return Runtime.version().feature() < 24
                ? List.of()
                : List.of(
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-D" + property + "=false");
    }
}
