package io.dxnet.tools.bench.nodes;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports for node maps, where a port must stay free while its node does not run: none that
 * the kernel chooses for a socket that is bound to port 0 or connects, and none twice. Any thread.
 */
final class FixedPorts {
    /** The begin of the kernel's range where it names none: the default of Linux. */
    static final int EPHEMERAL_DEFAULT = 32_768;

    /** Below are the ports of well-known services. */
    static final int MIN = 10_240;

    /** Where fewer ports are below the kernel's, none is kept apart. */
    static final int RANGE_MIN = 4_096;

    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int ATTEMPTS_MAX = 1_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FixedPorts() {}

    /**
     * The next port.
     *
     * @param host an address of this machine
     * @return a port at which no socket listens there
     * @throws IOException when there is none, or this machine does not have the address
     */
    static synchronized int next(InetAddress host) throws IOException {
        int end = ephemeralBegin();
        boolean isApart = end - MIN >= RANGE_MIN; // else the kernel's range is nearly all, and chosen from
        if (GIVEN.size() > (isApart ? (end - MIN) / 2 : RANGE_MIN)) {
            GIVEN.clear();
        }
        BindException last = new BindException("each port that was tried is another node's");
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int port = isApart ? ThreadLocalRandom.current().nextInt(MIN, end) : 0;
            try (ServerSocket socket = new ServerSocket(port, 1, host)) {
                if (GIVEN.add(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            } catch (BindException e) {
                last = e; // another program listens there
            }
        }
        throw new IOException(
                "no free port of " + ATTEMPTS_MAX + " on " + host.getHostAddress() + ": " + last.getMessage(), last);
    }

    /** {@return the first port that the kernel chooses by itself} */
    static int ephemeralBegin() throws IOException {
        if (!Files.isReadable(RANGE)) {
            return EPHEMERAL_DEFAULT;
        }
        // A Scanner reads it with one call; the kernel returns nothing to a second one.
        try (Scanner scanner = new Scanner(RANGE)) {
            return scanner.nextInt();
        }
    }
}
