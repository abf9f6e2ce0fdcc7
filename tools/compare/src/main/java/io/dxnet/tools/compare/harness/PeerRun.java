package io.dxnet.tools.compare.harness;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The two processes of a peer, and the measurements that they do together. */
public final class PeerRun implements AutoCloseable {
    /** Of the processes, in words: the last argument of their main class. */
    public static final String SERVER = "server";

    /** Of the processes, in words: the last argument of their main class. */
    public static final String CLIENT = "client";

    /** A measurement one way has so many parts, whose spread is reported. */
    private static final int PARTS = 3;

    private static final long PATIENCE_SECONDS = 30;

    private final PeerLink server;
    private final PeerLink client;

    /**
     * Messages one way.
     *
     * @param perSecond received, for each part of the time
     * @param faults counted at the receiver
     */
    public record OneWay(List<Double> perSecond, Faults faults) {}

    /**
     * Round trips.
     *
     * @param times nanoseconds
     * @param faults corrupted echoes
     */
    public record RoundTrips(Histogram times, Faults faults) {}

    /**
     * Starts both processes.
     *
     * @param peer what runs there
     * @param command makes the java command of a side
     * @throws PeerException when they can't be started
     */
    public PeerRun(Peer peer, Function<String, List<String>> command) throws PeerException {
        server = new PeerLink(peer, SERVER, command.apply(SERVER));
        try {
            client = new PeerLink(peer, CLIENT, command.apply(CLIENT));
        } catch (PeerException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Asks both processes.
     *
     * @return why the peer can't run on this machine, or nothing
     * @throws PeerException when they do not answer
     */
    public Optional<String> unavailabilityCause() throws PeerException {
        Optional<String> ofServer = server.unavailabilityCause(PATIENCE_SECONDS);
        Optional<String> ofClient = client.unavailabilityCause(PATIENCE_SECONDS);
        return ofServer.or(() -> ofClient);
    }

    /**
     * Asks the server.
     *
     * @return what this machine gave the peer, or nothing
     * @throws PeerException when it does not answer
     */
    public String onThisMachine() throws PeerException {
        return server.ask(Commands.DETAIL, "", PATIENCE_SECONDS);
    }

    /**
     * Measures messages one way: what the receiver counts between two points of its own clock.
     *
     * @param workload one way
     * @param warmupSeconds before the first point
     * @param seconds between first and last
     * @return the rates, and what went wrong until the last message
     * @throws PeerException when the peer can't go on
     */
    public OneWay oneWay(Workload workload, double warmupSeconds, double seconds) throws PeerException {
        open(workload);
        client.ask(Commands.START, "", PATIENCE_SECONDS);
        sleep(warmupSeconds);
        List<Double> perSecond = new ArrayList<>();
        long[] before = count();
        for (int i = 0; i < PARTS; i++) {
            sleep(seconds / PARTS);
            long[] now = count();
            perSecond.add((now[0] - before[0]) * 1e9 / (now[1] - before[1]));
            before = now;
        }
        String sent = client.ask(Commands.STOP, "", PATIENCE_SECONDS);
        Faults faults = Faults.decode(server.ask(Commands.FINISH, sent, PATIENCE_SECONDS));
        closeRound();
        return new OneWay(List.copyOf(perSecond), faults);
    }

    /**
     * Measures round trips in a closed loop.
     *
     * @param workload back and forth
     * @param warmupSeconds without measuring
     * @param seconds with measuring
     * @return the times
     * @throws PeerException when the peer can't go on
     */
    public RoundTrips roundTrips(Workload workload, double warmupSeconds, double seconds) throws PeerException {
        open(workload);
        long patience = PATIENCE_SECONDS + (long) (warmupSeconds + seconds);
        String[] answer = client.ask(
                        Commands.TRIPS, (long) (warmupSeconds * 1e9) + " " + (long) (seconds * 1e9), patience)
                .split(" ");
        closeRound();
        try {
            byte[] bytes = Base64.getDecoder().decode(answer[1]);
            Histogram times = Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0);
            return new RoundTrips(times, new Faults(0, 0, 0, Long.parseLong(answer[0])));
        } catch (IllegalArgumentException e) {
            throw new PeerException("the times can't be read: " + e.getMessage(), e);
        }
    }

    private void open(Workload workload) throws PeerException {
        String address = server.ask(Commands.OPEN, workload.encode(), PATIENCE_SECONDS);
        client.ask(Commands.OPEN, workload.encode() + " " + address, PATIENCE_SECONDS);
    }

    private void closeRound() throws PeerException {
        client.ask(Commands.CLOSE, "", PATIENCE_SECONDS);
        server.ask(Commands.CLOSE, "", PATIENCE_SECONDS);
    }

    /** Messages received, and nanoseconds of the receiver's clock. */
    private long[] count() throws PeerException {
        return Commands.numbers(server.ask(Commands.COUNT, "", PATIENCE_SECONDS));
    }

    private static void sleep(double seconds) throws PeerException {
        try {
            TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
