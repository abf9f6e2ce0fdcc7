package io.dxnet.tools.compare.harness;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The receiving process: executes the commands of the comparison, one line after the other. */
final class ServerSide implements Commands {
    /** When nothing came for this long, nothing more will. */
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Peer peer;
    private Inbox inbox;
    private PeerServer server;

    ServerSide(Peer peer) {
        this.peer = peer;
    }

    @Override
    public String execute(String command, String arguments) throws Exception {
        return switch (command) {
            case OPEN -> open(arguments);
            case COUNT -> inbox.received() + " " + System.nanoTime();
            case FINISH -> finish(Commands.numbers(arguments));
            case CLOSE -> close();
            default -> throw new IllegalArgumentException("unknown command " + command);
        };
    }

    private String open(String arguments) throws Exception {
        Workload workload = Workload.decode(arguments);
        inbox = new Inbox(workload, peer.info().ordered());
        server = peer.serve(workload, inbox);
        return server.address();
    }

    /**
     * Waits until all that was sent has arrived, or nothing arrives any more; returns the faults.
     */
    private String finish(long[] sent) {
        long expected = 0;
        for (long each : sent) {
            expected += each;
        }
        long received = inbox.received();
        long movedNs = System.nanoTime();
        while (received < expected && System.nanoTime() - movedNs < STALL_NS) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
            long now = inbox.received();
            if (now != received) {
                received = now;
                movedNs = System.nanoTime();
            }
        }
        return inbox.faults(sent).encode();
    }

    private String close() throws Exception {
        if (server != null) {
            server.close();
            server = null;
        }
        return OK;
    }
}
