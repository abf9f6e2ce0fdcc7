package io.dxnet.tools.compare.harness;

import java.util.ArrayList;
import java.util.List;

/** The sending process: executes the commands of the comparison, one line after the other. */
final class ClientSide implements Commands {
    private final Peer peer;
    private final List<SendingThread> threads = new ArrayList<>();
    private Workload workload;
    private PeerClient client;

    ClientSide(Peer peer) {
        this.peer = peer;
    }

    @Override
    public String execute(String command, String arguments) throws Exception {
        return switch (command) {
            case OPEN -> open(arguments);
            case START -> start();
            case STOP -> stop();
            case TRIPS -> trips(arguments);
            case CONNECTIONS -> connections(Commands.numbers(arguments)[0]);
            case CLOSE -> close();
            default -> throw new IllegalArgumentException("unknown command " + command);
        };
    }

    private String open(String arguments) throws Exception {
        workload = Workload.decode(arguments);
        client = peer.connect(workload, Workload.rest(arguments));
        return OK;
    }

    private String start() {
        for (int i = 0; i < workload.threads(); i++) {
            threads.add(SendingThread.start(client, workload, i));
        }
        return OK;
    }

    /** Returns what each thread sent. */
    private String stop() throws Exception {
        threads.forEach(SendingThread::stop);
        List<String> sent = new ArrayList<>();
        for (SendingThread thread : threads) {
            sent.add(Long.toString(thread.sent()));
        }
        threads.clear();
        return String.join(" ", sent);
    }

    /**
     * Runs round trips for the times of warm-up and measurement,
     * nanoseconds; returns corrupted echoes and histogram.
     */
    private String trips(String arguments) throws Exception {
        String[] ns = arguments.split(" ");
        PingPong loop = new PingPong(workload, Long.parseLong(ns[0]), Long.parseLong(ns[1]));
        client.pingPong(loop);
        return loop.corrupted() + " " + Times.encode(loop.times());
    }

    private String connections(long ns) throws Exception {
        long start = System.nanoTime();
        long passed = 0;
        int count = 0;
        while (passed < ns && client.reconnect()) {
            count++;
            passed = System.nanoTime() - start;
        }
        return count + " " + passed;
    }

    private String close() throws Exception {
        if (client != null) {
            client.close();
            client = null;
        }
        return OK;
    }
}
