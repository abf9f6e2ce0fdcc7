package io.dxnet.tools.bench;

import io.dxnet.DXNetException;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.cli.ToolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleConsumer;

/** Drives the nodes through the rounds, from the node with the lowest id. Used by one thread. */
final class Coordinator {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);
    private static final long TICK_MS = 50;
    private static final Duration RETRY = Duration.ofMillis(200);

    private final BenchNode local;
    private final int[] ids;
    private final Failure failure;

    /** Guarded by this, as all that follows. */
    private int round;

    private final Set<Integer> done = new HashSet<>();
    private final Map<Integer, long[]> progress = new HashMap<>();
    private long lastDoneNs;
    private long lastNoteNs;

    Coordinator(BenchNode local, int[] ids, Failure failure) {
        this.local = local;
        this.ids = ids;
        this.failure = failure;
        local.setListener(this::onNote);
    }

    int[] ids() {
        return ids;
    }

    /**
     * Waits until every node has answered {@link Command.Kind#JOIN};
     * returns their descriptions by node id.
     */
    Map<Integer, String> join(Duration patience) {
        Map<Integer, String> infos = new LinkedHashMap<>();
        long deadline = System.nanoTime() + patience.toNanos();
        for (int id : ids) {
            infos.put(id, id == local.net().nodeId() ? local.describe() : join(id, deadline));
        }
        return infos;
    }

    private String join(int id, long deadline) {
        while (true) {
            failure.check();
            try {
                Command join = new Command(id, Command.Kind.JOIN);
                return local.net().sendSync(join, Duration.ofSeconds(5)).reply().text();
            } catch (DXNetException e) {
                if (System.nanoTime() > deadline) {
                    failure.check();
                    throw new ToolException("node " + id + " did not come: " + e.getMessage(), e);
                }
                pause();
            }
        }
    }

    /**
     * Not {@code parkNanos}: a request that failed leaves
     * a permit, with which that returns at once.
     */
    private static void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    /** Runs one round on all nodes. */
    RunResult run(RoundSpec spec, DoubleConsumer fraction) {
        synchronized (this) {
            round = spec.number();
            done.clear();
            progress.clear();
            lastNoteNs = System.nanoTime();
        }
        all(Command.Kind.SHARE, spec.encode());
        all(Command.Kind.PREPARE, spec.encode());
        long start = System.nanoTime();
        all(Command.Kind.START);
        long end = awaitDone(spec, start, fraction);
        List<NodeResult> results = new ArrayList<>();
        for (Reply reply : all(Command.Kind.COLLECT)) {
            NodeResult result = NodeResult.decode(reply);
            if (result.errors() > 0) {
                failure.check();
                throw new ToolException(result.errors() + " errors at a node, the first: " + result.errorText());
            }
            results.add(result);
        }
        return RunResult.of(results, end - start, spec.durationNs());
    }

    private long awaitDone(RoundSpec spec, long start, DoubleConsumer fraction) {
        long patienceNs = spec.stallNs() + Duration.ofSeconds(20).toNanos();
        while (true) {
            synchronized (this) {
                if (done.size() == ids.length) {
                    return lastDoneNs;
                }
                if (System.nanoTime() - lastNoteNs > patienceNs) {
                    throw new ToolException("only nodes " + done + " of " + ids.length
                            + " ended the run of size " + spec.size() + "; nothing was heard of the others for "
                            + patienceNs / 1_000_000_000 + " s");
                }
                try {
                    wait(TICK_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ToolException("interrupted", e);
                }
            }
            failure.check();
            fraction.accept(fraction(spec, System.nanoTime() - start));
        }
    }

    private synchronized double fraction(RoundSpec spec, long elapsedNs) {
        double byTime = spec.durationNs() == 0 ? 0 : (double) elapsedNs / spec.durationNs();
        if (spec.messages() == 0) {
            return Math.min(1, byTime);
        }
        long sent = progress.values().stream().mapToLong(values -> values[0]).sum();
        long senders = 0;
        for (int node = 0; node < ids.length; node++) {
            senders += spec.pattern().destinations(node, ids.length).length > 0 ? 1 : 0;
        }
        return Math.min(1, Math.max(byTime, (double) sent / (senders * spec.messages())));
    }

    private synchronized void onNote(int source, Note.Kind kind, int ofRound, long[] values) {
        if (ofRound != round) {
            return;
        }
        long now = System.nanoTime();
        if (kind == Note.Kind.DONE) {
            done.add(source);
            lastDoneNs = now;
        } else {
            progress.put(source, values);
        }
        lastNoteNs = now;
        if (done.size() == ids.length) {
            notifyAll();
        }
    }

    /**
     * Sends a command to all nodes, executes it on the own node last, and waits for the answers.
     */
    private List<Reply> all(Command.Kind kind, long... values) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        List<Reply> replies = new ArrayList<>();
        for (int id : ids) {
            if (id != local.net().nodeId()) {
                answers.add(local.net().sendAsync(new Command(id, kind, values), COMMAND_TIMEOUT));
            }
        }
        replies.add(local.handle(kind, values));
        for (CompletableFuture<Answer> answer : answers) {
            replies.add(await(answer, kind));
        }
        for (Reply reply : replies) {
            if (!reply.ok()) {
                failure.check();
                throw new ToolException(reply.text());
            }
        }
        return replies;
    }

    private Reply await(CompletableFuture<Answer> answer, Command.Kind kind) {
        try {
            return answer.get(COMMAND_TIMEOUT.toMillis() + 1000, TimeUnit.MILLISECONDS)
                    .reply();
        } catch (ExecutionException | TimeoutException e) {
            pause(); // a process that died is noticed by now
            failure.check();
            throw new ToolException("a node did not answer to " + kind + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    /**
     * Sends {@link Command.Kind#STOP} to the other nodes; one that does not answer is no failure.
     */
    void stop() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int id : ids) {
            if (id != local.net().nodeId()) {
                answers.add(local.net().sendAsync(new Command(id, Command.Kind.STOP), Duration.ofSeconds(2)));
            }
        }
        for (CompletableFuture<Answer> answer : answers) {
            try {
                answer.get(3, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                continue; // its process ends by other means
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
