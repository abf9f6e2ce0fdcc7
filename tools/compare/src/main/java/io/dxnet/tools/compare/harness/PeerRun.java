package io.dxnet.tools.compare.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The two processes of a peer, and the measurements that they do together. */
public final class PeerRun implements AutoCloseable {
    /** One of the sides. */
    static final String SERVER = "server";

    /** The other one. */
    static final String CLIENT = "client";

    /** A measurement one way has so many parts, whose spread is reported. */
    private static final int PARTS = 3;

    private static final long PATIENCE_SECONDS = 60;

    private final PeerLink server;
    /** The same where both sides are in one process. */
    private final PeerLink client;

    /**
     * Messages one way.
     *
     * @param perSecond received, for each part of the time
     * @param cpu used in the whole of the time
     * @param faults counted at the receiver
     */
    public record OneWay(List<Double> perSecond, CpuUse cpu, Faults faults) {}

    /**
     * Round trips.
     *
     * @param times nanoseconds
     * @param faults corrupted echoes
     */
    public record RoundTrips(Histogram times, Faults faults) {}

    /**
     * Starts both processes, or the one.
     *
     * @param peer what runs there
     * @param command the java command of its processes
     * @throws PeerException when they can't be started
     */
    public PeerRun(Peer peer, List<String> command) throws PeerException {
        if (peer.inOneProcess()) {
            server = new PeerLink(peer, "process", command);
            client = server;
            return;
        }
        server = new PeerLink(peer, SERVER, command);
        try {
            client = new PeerLink(peer, CLIENT, command);
        } catch (PeerException e) {
            server.close();
            throw e;
        }
    }

    private String askServer(String command, String arguments) throws PeerException {
        return server.ask(SERVER, command, arguments, PATIENCE_SECONDS);
    }

    private String askClient(String command, String arguments) throws PeerException {
        return client.ask(CLIENT, command, arguments, PATIENCE_SECONDS);
    }

    /**
     * Asks both sides.
     *
     * @return why the peer can't run on this machine, or nothing
     * @throws PeerException when they do not answer
     */
    public Optional<String> unavailabilityCause() throws PeerException {
        return Stream.of(askServer(Commands.PROBE, ""), askClient(Commands.PROBE, ""))
                .filter(answer -> !answer.equals(Commands.OK))
                .findFirst();
    }

    /**
     * Asks the server.
     *
     * @return {@link Peer#onThisMachine}
     * @throws PeerException when it does not answer
     */
    public String onThisMachine() throws PeerException {
        return askServer(Commands.DETAIL, "");
    }

    /**
     * Measures messages one way: what the receiver counts between two points of its own clock.
     *
     * @param workload one way
     * @param warmupSeconds before the first point
     * @param seconds between first and last
     * @return the rates, and the faults until the last message
     * @throws PeerException when the peer fails
     */
    public OneWay oneWay(Workload workload, double warmupSeconds, double seconds) throws PeerException {
        open(workload);
        askClient(Commands.START, "");
        sleep(warmupSeconds);
        List<Double> perSecond = new ArrayList<>();
        long[] before = count();
        CpuUse first = new CpuUse(before[0], cpuSeconds());
        for (int i = 0; i < PARTS; i++) {
            sleep(seconds / PARTS);
            long[] now = count();
            perSecond.add((now[0] - before[0]) * 1e9 / (now[1] - before[1]));
            before = now;
        }
        CpuUse used = new CpuUse(before[0] - first.messages(), cpuSeconds() - first.seconds());
        String sent = askClient(Commands.STOP, "");
        Faults faults = Faults.decode(askServer(Commands.FINISH, sent));
        closeRound();
        return new OneWay(List.copyOf(perSecond), used, faults);
    }

    /**
     * Measures round trips in a closed loop.
     *
     * @param workload back and forth
     * @param warmupSeconds without measuring
     * @param seconds with measuring
     * @return the times
     * @throws PeerException when the peer fails
     */
    public RoundTrips roundTrips(Workload workload, double warmupSeconds, double seconds) throws PeerException {
        open(workload);
        long patience = PATIENCE_SECONDS + (long) (warmupSeconds + seconds);
        String[] answer = client.ask(
                        CLIENT, Commands.TRIPS, (long) (warmupSeconds * 1e9) + " " + (long) (seconds * 1e9), patience)
                .split(" ");
        closeRound();
        return new RoundTrips(Times.decode(answer[1]), new Faults(0, 0, 0, Long.parseLong(answer[0])));
    }

    /**
     * Measures how many connections one thread makes, each after the end of the one before.
     *
     * @param workload back and forth
     * @param warmupSeconds without measuring
     * @param seconds with measuring
     * @return connections per second, or nothing where the peer does not measure that
     * @throws PeerException when the peer fails
     */
    public OptionalDouble connections(Workload workload, double warmupSeconds, double seconds) throws PeerException {
        open(workload);
        askConnections(warmupSeconds);
        long[] made = Commands.numbers(askConnections(seconds));
        closeRound();
        return made[0] == 0 ? OptionalDouble.empty() : OptionalDouble.of(made[0] * 1e9 / made[1]);
    }

    private String askConnections(double seconds) throws PeerException {
        return client.ask(
                CLIENT, Commands.CONNECTIONS, Long.toString((long) (seconds * 1e9)), PATIENCE_SECONDS + (long) seconds);
    }

    private void open(Workload workload) throws PeerException {
        String address = askServer(Commands.OPEN, workload.encode());
        askClient(Commands.OPEN, workload.encode() + " " + address);
    }

    private void closeRound() throws PeerException {
        askClient(Commands.CLOSE, "");
        askServer(Commands.CLOSE, "");
    }

    /** Messages received, and nanoseconds of the receiver's clock. */
    private long[] count() throws PeerException {
        return Commands.numbers(askServer(Commands.COUNT, ""));
    }

    private double cpuSeconds() {
        return CpuUse.secondsOf(List.of(server.handle(), client.handle()));
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
