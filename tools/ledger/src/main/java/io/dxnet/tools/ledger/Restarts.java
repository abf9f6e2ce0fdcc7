package io.dxnet.tools.ledger;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Ends and restarts nodes on threads of their own. One thread calls it. */
final class Restarts {
    private final FutureTask<?>[] latest;

    Restarts(int nodes) {
        latest = new FutureTask<?>[nodes];
    }

    /** What is done with a node. */
    interface Action {
        void run() throws Exception;
    }

    boolean isBusy(int node) {
        return latest[node] != null && !latest[node].isDone();
    }

    void run(int node, Action action) throws Exception {
        await(node); // for its exception
        Callable<Void> call = () -> {
            action.run();
            return null;
        };
        latest[node] = new FutureTask<>(call);
        Thread.ofPlatform().name("ledger-restart-" + node).start(latest[node]);
    }

    /** Waits for all of them. */
    void await() throws Exception {
        for (int node = 0; node < latest.length; node++) {
            await(node);
        }
    }

    private void await(int node) throws Exception {
        if (latest[node] != null) {
            try {
                latest[node].get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }
}
