package io.dxnet.runtime.send;

import io.dxnet.ConnectionLostException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Futures that complete when the other node has handled all that was sent to it:
 * {@link io.dxnet.DXNet#whenHandled}.
 *
 * <p>A barrier is a header without payload in the stream. The other node's coordinator ends an
 * epoch at it; when the handlers have handled that epoch, the other node answers
 * with the signal {@code ConnectionLife.PASSED}. A connection has one barrier outstanding;
 * futures that are requested meanwhile share the next one. The control thread sends and polls,
 * and never waits for room.
 */
public final class Barriers {
    /** Polls, about a millisecond each, after which futures that are done already are dropped. */
    private static final int POLLS_PER_PURGE = 1000;

    private final Connections connections;
    private final Consumer<BooleanSupplier> poller;
    private final Completions completions;
    private final Transport transport;
    private final Map<PeerConnection, Wait> waits = new ConcurrentHashMap<>();
    private volatile boolean closed; // the closing thread

    /**
     * No future yet.
     *
     * @param poller calls a step about every millisecond, on the
     *     control thread, until it returns true
     */
    public Barriers(
            Connections connections, Consumer<BooleanSupplier> poller, Completions completions, Transport transport) {
        this.connections = connections;
        this.poller = poller;
        this.completions = completions;
        this.transport = transport;
    }

    /** See {@link io.dxnet.DXNet#whenHandled}. Any thread. */
    public CompletableFuture<Void> whenHandled(int nodeId) {
        connections.checkOpen();
        List<PeerConnection> used = new ArrayList<>();
        for (PeerConnection connection : connections.connections(nodeId)) {
            if (connection.bytesSent() > 0) {
                used.add(connection);
            }
        }
        Call call = new Call(nodeId, used.size());
        if (used.isEmpty()) {
            call.future.complete(null);
        }
        for (PeerConnection connection : used) {
            waits.compute(connection, (key, known) -> {
                Wait wait = known == null ? new Wait(connection) : known;
                wait.add(call);
                if (known == null) {
                    poller.accept(wait);
                }
                return wait;
            });
        }
        if (closed) { // the control thread may have polled for the last time
            close();
        }
        return call.future;
    }

    /** Fails all futures, and later ones. */
    public void close() {
        closed = true;
        for (PeerConnection connection : waits.keySet()) {
            Wait wait = waits.remove(connection);
            if (wait != null) {
                wait.end(connections.closedException());
            }
        }
    }

    /**
     * What one caller waits for: the answer of each connection to a
     * node that has carried something.
     */
    private final class Call extends Completions.Completion {
        private final int nodeId;
        private final CompletableFuture<Void> future = new ResponseFuture<>();
        private final AtomicInteger left;
        private volatile @Nullable Exception failure; // before it is added to the completions

        Call(int nodeId, int connections) {
            this.nodeId = nodeId;
            this.left = new AtomicInteger(connections);
        }

        /** One of the connections has answered, or has ended; a null cause: all was handled. */
        void end(@Nullable Exception cause) {
            if (cause != null) {
                failure = cause;
                completions.add(this);
            } else if (left.decrementAndGet() == 0) {
                completions.add(this);
            }
        }

        @Override
        public boolean mayRepeat() {
            return !future.isDone();
        }

        @Override
        public void complete() {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(failure);
            }
        }

        @Override
        public String what() {
            return "whenHandled(" + nodeId + ")";
        }
    }

    /** The calls that wait for one connection. Any thread, by its monitor. */
    private final class Wait implements BooleanSupplier {
        private final PeerConnection connection;
        private List<Call> next = new ArrayList<>(); // for the next barrier
        private List<Call> covered = new ArrayList<>(); // by the outstanding barrier
        private boolean isOutstanding; // a barrier: in the stream, or about to be
        private boolean isSent; // it is in the stream
        private int polls;

        Wait(PeerConnection connection) {
            this.connection = connection;
        }

        synchronized void add(Call call) {
            next.add(call);
        }

        /** One poll of the control thread. */
        @Override
        public boolean getAsBoolean() {
            if (!advance()) {
                return false;
            }
            // In the map's order of locks: map, then monitor.
            return waits.compute(connection, (key, wait) -> wait == this && isIdle() ? null : wait) != this;
        }

        /** Returns whether nothing is outstanding. */
        private synchronized boolean advance() {
            // Before the answer: one that came in time counts, whichever thread wrote the barrier.
            boolean isEnded = connection.life().isEnded();
            if (isOutstanding && connection.isBarrierPassed() && (isEnded || connection.isBarrierWritten())) {
                isOutstanding = false;
                isSent = false;
                endAll(covered, null);
                covered = new ArrayList<>();
            }
            if (isEnded) {
                end(failure());
                return true;
            }
            if (++polls % POLLS_PER_PURGE == 0) {
                covered.removeIf(call -> call.future.isDone());
                next.removeIf(call -> call.future.isDone());
            }
            if (!isOutstanding && !next.isEmpty()) {
                // First: a call that is added later may be of messages that come after the barrier.
                covered = next;
                next = new ArrayList<>();
                isOutstanding = true;
                connection.requestBarrier();
            }
            if (isOutstanding && !isSent && StreamMarks.tryWriteBarrier(connection)) {
                isSent = true;
                transport.dataPosted(connection);
            }
            return !isOutstanding;
        }

        private synchronized boolean isIdle() {
            return !isOutstanding && next.isEmpty();
        }

        /** The connection has ended, or this node is closed. */
        synchronized void end(@Nullable Exception cause) {
            endAll(covered, cause);
            endAll(next, cause);
            covered = new ArrayList<>();
            next = new ArrayList<>();
            isOutstanding = false;
        }

        /** An orderly end comes after all that was sent was handled. */
        private @Nullable Exception failure() {
            if (connection.life().isDelivered()) {
                return null;
            }
            return connections.isClosing()
                    ? connections.closedException()
                    : new ConnectionLostException("the connection to node " + connection.nodeId()
                            + " ended before it had confirmed what was sent: "
                            + connection.life().detail());
        }

        private static void endAll(List<Call> calls, @Nullable Exception cause) {
            for (Call call : calls) {
                call.end(cause);
            }
        }
    }
}
