package io.dxnet.tools.fuzz;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.Ports;
import io.dxnet.contract.Receiver;
import io.dxnet.transport.handshake.Hello;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what connections that never finish their handshake cost verified traffic over TCP. It
 * prints the rate without and with them, in turn, and how long the last of them stayed open.
 */
@Command(name = "tools/fuzz/half-open", mixinStandardHelpOptions = true, sortOptions = false)
public final class HalfOpenRate implements Callable<Integer> {
    private static final int PART_OF_A_HELLO = 40;

    @Option(
            names = "--count",
            description = "half-open connections, default 10000; they need as many descriptors twice")
    private int count = 10_000;

    @Option(names = "--rounds", description = "default 5")
    private int rounds = 5;

    @Option(names = "--seconds", description = "of each measurement, default 5")
    private int seconds = 5;

    @Option(names = "--bytes", description = "of a message, default 500")
    private int bytes = 500;

    @Option(names = "--strangers", paramLabel = "PORT", hidden = true, description = "be the strangers")
    private int strangersPort;

    private HalfOpenRate() {}

    /**
     * The command line.
     *
     * @param args see --help
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new HalfOpenRate()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        return strangersPort == 0 ? measure() : beStrangers();
    }

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio")
                .transportOption("nio.handshakesMax", "65535")
                .transportOption("nio.handshakesPerAddress", "65535")
                .transportOption("nio.handshakeTimeoutMs", "" + timeoutMs());
    }

    /** A timeout that lasts until all strangers are open and the rate is measured. */
    private int timeoutMs() {
        return (int) TimeUnit.SECONDS.toMillis(2L * seconds + 5);
    }

    private int measure() throws Exception {
        List<String> addresses = Ports.addresses(2);
        double sumWithout = 0;
        double sumWith = 0;
        try (Cluster cluster =
                new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), this::configure)) {
            Receiver receiver = Receiver.on(cluster.node(0));
            try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, bytes)) {
                rate(good); // warm-up
                System.out.printf(
                        "%-6s %14s %14s %8s  %s%n", "round", "msg/s without", "msg/s with", "cost", "all gone after");
                for (int round = 1; round <= rounds; round++) {
                    double without = rate(good);
                    Process strangers =
                            strangers(Ports.resolved(addresses.get(0)).getPort());
                    double with;
                    String gone;
                    try (var out = strangers.inputReader()) {
                        System.out.printf("%-6d %14.0f", round, without);
                        String opened = out.readLine();
                        if (opened == null || !opened.equals("open " + count)) {
                            throw new IOException("the strangers report: " + opened);
                        }
                        with = rate(good);
                        gone = out.readLine();
                    } finally {
                        strangers.destroy();
                    }
                    sumWithout += without;
                    sumWith += with;
                    System.out.printf(" %14.0f %7.1f%%  %s%n", with, 100 * (1 - with / without), gone);
                }
            }
        }
        System.out.printf(
                "half-open: %d connections cost %.1f %% of %.0f msg/s (mean of %d rounds)%n",
                count, 100 * (1 - sumWith / sumWithout), sumWithout / rounds, rounds);
        return 0;
    }

    private double rate(GoodStream good) throws InterruptedException {
        long beginNs = System.nanoTime();
        int begin = good.received();
        Thread.sleep(TimeUnit.SECONDS.toMillis(seconds)); // the time of the measurement
        good.awaitProgress();
        return (good.received() - begin) * 1e9 / (System.nanoTime() - beginNs);
    }

    private Process strangers(int port) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HalfOpenRate.class.getName(),
                        "--strangers=" + port,
                        "--count=" + count,
                        "--seconds=" + seconds)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /**
     * Opens all connections and reports it; waits for the end of each,
     * and prints the time from the last opening to the last end.
     */
    private int beStrangers() throws IOException {
        InetSocketAddress address = Ports.resolved("127.0.0.1:" + strangersPort);
        byte[] hello = Hello.of(DXNetConfig.builder().build(), "nio", 7, 0, 1, 1, 0, new byte[0])
                .encode()
                .array();
        ByteBuffer part = ByteBuffer.wrap(Arrays.copyOf(hello, PART_OF_A_HELLO));
        List<SocketChannel> channels = new ArrayList<>();
        long lastNs = 0;
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(address);
            lastNs = System.nanoTime();
            if (i % 2 == 0) {
                channel.write(part.rewind());
            }
            channels.add(channel);
        }
        System.out.println("open " + count);
        ByteBuffer scratch = ByteBuffer.allocate(4096);
        for (SocketChannel channel : channels) {
            try {
                while (channel.read(scratch.clear()) >= 0) {
                    // a refusal
                }
            } catch (IOException e) {
                // reset
            }
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastNs);
        System.out.println(ms + " ms of a timeout of " + timeoutMs() + " ms");
        return 0;
    }
}
