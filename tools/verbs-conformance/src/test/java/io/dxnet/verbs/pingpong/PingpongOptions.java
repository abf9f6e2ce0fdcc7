package io.dxnet.verbs.pingpong;

import io.dxnet.ibverbs.Mtu;
import java.util.Locale;

/** The options of rdma-core's {@code ibv_*_pingpong}, as far as they are spoken here. */
final class PingpongOptions {
    enum Mode {
        /** {@code ibv_rc_pingpong}: one reliable connection. */
        RC,
        /** {@code ibv_srq_pingpong}: many of them, receives shared. */
        SRQ,
        /** {@code ibv_ud_pingpong}: datagrams. */
        UD
    }

    static final String USAGE = """
            usage: pingpong rc|srq|ud [OPTIONS] [SERVER]
              -d DEVICE   verbs device (default: the first)
              -p PORT     TCP port of the exchange (default 18515)
              -i PORT     the device's port (default 1)
              -g INDEX    GID index (default: chosen by type and address)
              -s BYTES    message size (default 4096, ud 1024)
              -m MTU      packet size of the connection (default 1024)
              -n COUNT    round trips (default 1000)
              -r COUNT    receives posted (default 500)
              -q COUNT    queue pairs of srq (default 16)
              -t CODE     code of the timeout of an acknowledgement (default 14, 67 ms)
              -e          sleep on completion events
            Without SERVER it waits for a client.
            """;

    final Mode mode;
    String device;
    int tcpPort = 18515;
    int port = 1;
    int gidIndex = -1;
    int size;
    Mtu mtu = Mtu.MTU_1024;
    int iterations = 1000;
    int receives = 500;
    int pairs = 1;
    int timeout = 14;
    boolean events;
    String server;

    private PingpongOptions(Mode mode) {
        this.mode = mode;
        this.size = mode == Mode.UD ? 1024 : 4096;
        this.pairs = mode == Mode.SRQ ? 16 : 1;
    }

    static PingpongOptions parse(String... arguments) {
        if (arguments.length == 0) {
            throw new IllegalArgumentException(USAGE);
        }
        PingpongOptions options = new PingpongOptions(Mode.valueOf(arguments[0].toUpperCase(Locale.ROOT)));
        for (int i = 1; i < arguments.length; i++) {
            String option = arguments[i];
            if (option.equals("-e")) {
                options.events = true;
            } else if (!option.startsWith("-")) {
                options.server = option;
            } else if (i + 1 < arguments.length) {
                options.set(option, arguments[++i]);
            } else {
                throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
            }
        }
        return options;
    }

    private void set(String option, String value) {
        switch (option) {
            case "-d" -> device = value;
            case "-p" -> tcpPort = Integer.parseInt(value);
            case "-i" -> port = Integer.parseInt(value);
            case "-g" -> gidIndex = Integer.parseInt(value);
            case "-s" -> size = Integer.parseInt(value);
            case "-m" -> mtu = Mtu.valueOf("MTU_" + value);
            case "-n" -> iterations = Integer.parseInt(value);
            case "-r" -> receives = Integer.parseInt(value);
            case "-t" -> timeout = Integer.parseInt(value);
            case "-q" -> pairs = Integer.parseInt(value);
            default -> throw new IllegalArgumentException("unknown option " + option + "\n" + USAGE);
        }
    }
}
