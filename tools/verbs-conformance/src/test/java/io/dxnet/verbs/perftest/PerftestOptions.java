package io.dxnet.verbs.perftest;

import java.util.Locale;

/** The options of perftest's programs, as far as they are spoken here. */
final class PerftestOptions {
    enum Verb {
        /** {@code ib_send_bw}. */
        SEND,
        /** {@code ib_write_bw}. */
        WRITE,
        /** {@code ib_read_bw}. */
        READ,
        /** {@code ib_atomic_bw}, whose operation is fetch-and-add of 1. */
        ATOMIC;

        /** Whether the responder's queue pair has to keep answers. */
        boolean isFetch() {
            return this == READ || this == ATOMIC;
        }
    }

    /** Perftest walks through a buffer of 4096 bytes with messages of at most half of it. */
    static final int WALKS_THROUGH = 4096;

    static final String USAGE = """
            usage: perftest send|write|read|atomic [OPTIONS] [SERVER]
              -d DEVICE   verbs device (default: the first)
              -p PORT     TCP port of the exchange (default 18515)
              -s BYTES    message size, more than 2048 (default 65536; atomic always 8)
              -n COUNT    operations, the same on both sides (default 1000)
              -u CODE     code of the timeout of an acknowledgement (default 14, 67 ms)
            Without SERVER it waits for a client; the client does all operations.
            """;

    final Verb verb;
    String device;
    int tcpPort = 18515;
    int size = 65536;
    int count = 1000;
    int timeout = 14;
    String server;

    private PerftestOptions(Verb verb) {
        this.verb = verb;
    }

    static PerftestOptions parse(String... arguments) {
        if (arguments.length == 0) {
            throw new IllegalArgumentException(USAGE);
        }
        PerftestOptions options = new PerftestOptions(Verb.valueOf(arguments[0].toUpperCase(Locale.ROOT)));
        for (int i = 1; i < arguments.length; i++) {
            String option = arguments[i];
            if (!option.startsWith("-")) {
                options.server = option;
            } else if (i + 1 < arguments.length) {
                options.set(option, arguments[++i]);
            } else {
                throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
            }
        }
        if (options.verb == Verb.ATOMIC) {
            options.size = Long.BYTES;
        } else if (options.size <= WALKS_THROUGH / 2) {
            throw new IllegalArgumentException("-s is more than " + WALKS_THROUGH / 2 + "\n" + USAGE);
        }
        return options;
    }

    private void set(String option, String value) {
        switch (option) {
            case "-d" -> device = value;
            case "-p" -> tcpPort = Integer.parseInt(value);
            case "-s" -> size = Integer.parseInt(value);
            case "-n" -> count = Integer.parseInt(value);
            case "-u" -> timeout = Integer.parseInt(value);
            default -> throw new IllegalArgumentException("unknown option " + option + "\n" + USAGE);
        }
    }

    /** Half of perftest's buffer: the client's operations use the first, its peer's the second. */
    int bufferBytes() {
        return Math.max(size, WALKS_THROUGH);
    }
}
