package io.dxnet.tools.ledger;

import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.ledger.node.NodeSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A node in a process of its own. */
final class ProcessHost implements Host {
    /** Every bound of a node is shorter, but the time in which it was stopped counts here. */
    private static final long LOOK_MS = 100;

    private final NodeSpec spec;
    private final Duration startLimit;
    private final ChildProcess process;
    private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
    private final Failure failure = new Failure();
    private int commands;
    private boolean ended; // by its close or kill; no command is for it any more

    ProcessHost(NodeSpec spec, LedgerOptions options, EventMode events, List<String> addresses) {
        this.spec = spec;
        this.startLimit = options.startLimit();
        this.process = new ChildProcess(
                "node " + spec.node(),
                NodeMain.class,
                NodeMain.arguments(options, events, spec, addresses),
                failure,
                this::onLine);
        await(NodeMain.READY);
        failure.check();
    }

    private void onLine(String line) {
        if (line.startsWith(NodeMain.CONFIRMED)) {
            confirmed.add(line.substring(NodeMain.CONFIRMED.length()));
            synchronized (confirmed) {
                confirmed.notifyAll();
            }
        } else {
            System.err.println("node " + spec.node() + ": " + line);
        }
    }

    /** Returns the number of the command, or one that is confirmed already. */
    private synchronized String tell(String command) {
        if (ended) {
            return NodeMain.READY;
        }
        String number = Integer.toString(++commands);
        try {
            process.tell(number + " " + command);
        } catch (IOException e) {
            failure.fail("node " + spec.node() + " accepts no commands: " + e.getMessage());
        }
        return number;
    }

    private void await(String number) {
        long deadlineNs = System.nanoTime() + startLimit.toNanos();
        synchronized (confirmed) {
            while (!confirmed.contains(number) && failure() == null) {
                if (System.nanoTime() - deadlineNs > 0) {
                    failure.fail("node " + spec.node() + " (run " + spec.run() + ") did not end command " + number
                            + " within " + startLimit.toMillis() + " ms");
                    return;
                }
                try {
                    confirmed.wait(LOOK_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    @Override
    public NodeSpec spec() {
        return spec;
    }

    @Override
    public void startTraffic() {
        tell("traffic");
    }

    @Override
    public void stopTraffic() {
        await(tell("stop"));
    }

    @Override
    public void disconnect(int peer) {
        tell("disconnect " + peer);
    }

    @Override
    public void slow(int ms) {
        tell("slow " + ms);
    }

    @Override
    public void moved(int peer, String address) {
        tell("moved " + peer + " " + address);
    }

    @Override
    public void beginLinkFault(long seed) {
        tell("fault " + seed);
    }

    @Override
    public void endLinkFaults() {
        tell("heal");
    }

    @Override
    public void close() {
        String number;
        synchronized (this) {
            number = tell("close");
            ended = true;
        }
        await(number);
        if (failure() == null) {
            process.close();
        } else {
            process.kill();
        }
    }

    @Override
    public String failure() {
        try {
            failure.check();
            return null;
        } catch (ToolException e) {
            return e.getMessage();
        }
    }

    @Override
    public void kill() {
        synchronized (this) {
            ended = true;
        }
        process.kill();
    }

    @Override
    public void pause() {
        signal("STOP");
    }

    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with exit code " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException("kill -" + name + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void discard() {
        process.kill(); // one that failed may still run
    }
}
