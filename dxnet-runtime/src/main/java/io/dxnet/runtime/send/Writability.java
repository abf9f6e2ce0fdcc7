package io.dxnet.runtime.send;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.transport.StaleConnectionException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Futures that complete when messages can be sent to a node without a wait:
 * one for each node, polled by the control thread.
 */
public final class Writability {
    private static final long BACKOFF_NS_MAX = 16_000_000;

    private final Connections connections;
    private final Consumer<BooleanSupplier> poller;
    private final Completions completions;
    private final int timeoutMs;
    private final long openingNs;
    private final Map<Integer, Wait> waits = new ConcurrentHashMap<>();
    private volatile boolean closed; // the closing thread

    /**
     * None so far.
     *
     * @param poller calls a step about every millisecond, on the
     *     control thread, until it returns true
     */
    public Writability(
            Connections connections, Consumer<BooleanSupplier> poller, Completions completions, DXNetConfig config) {
        this.connections = connections;
        this.poller = poller;
        this.completions = completions;
        this.timeoutMs = config.sendTimeoutMs();
        this.openingNs = (config.connectTimeoutMs() + (long) config.closeTimeoutMs()) * 1_000_000L;
    }

    /** See {@link io.dxnet.DXNet#whenWritable}. Any thread. */
    public CompletableFuture<Void> of(int nodeId) {
        Wait added = new Wait(nodeId);
        CompletableFuture<Void> future = added.future.copy();
        Wait known = waits.putIfAbsent(nodeId, added);
        if (known != null) {
            return known.future.copy();
        }
        if (closed) {
            added.end(connections.closedException());
        } else {
            poll(added);
        }
        return future;
    }

    private void poll(Wait added) {
        try {
            poller.accept(added);
        } catch (Throwable e) { // no memory: else later callers would wait for one that is not polled
            added.end(new DXNetException("node " + added.nodeId + " cannot be polled: " + e, e));
            throw e;
        }
    }

    /** Fails all futures, and later ones. */
    public void close() {
        closed = true;
        waits.values().forEach(each -> each.end(connections.closedException()));
    }

    /** The wait for one node. */
    private final class Wait extends Completions.Completion implements BooleanSupplier {
        private final int nodeId;
        private final CompletableFuture<Void> future = new ResponseFuture<>();
        private @Nullable PeerConnection connection; // the control thread
        // The control thread: an attempt on this connection is this wait's to judge.
        private boolean isOpening;
        private long mark; // the same
        private long markNs; // the same
        private long beganNs = System.nanoTime(); // of being not connected: the control thread
        private long nextAttemptNs = beganNs; // the control thread
        private long backoffNs = 500_000; // the same
        private @Nullable Exception failure; // before the future is completed

        Wait(int nodeId) {
            this.nodeId = nodeId;
        }

        @Override
        public boolean getAsBoolean() {
            try {
                if (future.isDone()) {
                    return true;
                }
                if (!isWritable()) {
                    return false;
                }
                end(null);
            } catch (Exception e) {
                end(e);
            } catch (Error e) {
                end(new NodeUnreachableException("no connection could be made: " + e, e));
            }
            return true;
        }

        private boolean isWritable() throws DXNetException {
            PeerConnection now = connections.connectionTo(nodeId);
            if (now != connection) {
                checkAttempt();
                connection = now;
                isOpening = false;
                mark = now.ring().progressMark();
                markNs = System.nanoTime();
            }
            if (!now.isOutReady()) {
                open(now);
                return false;
            }
            beganNs = System.nanoTime();
            connections.leaveIfEnding(now);
            checkProgress(now);
            return now.isOpen() && now.ring().isWritable();
        }

        private void open(PeerConnection toOpen) throws NodeUnreachableException {
            long now = System.nanoTime();
            markNs = now;
            if (now - beganNs > openingNs) {
                throw new NodeUnreachableException("node " + nodeId + " was not connected within "
                        + openingNs / 1_000_000 + " ms (connectTimeoutMs and closeTimeoutMs)");
            }
            if (!toOpen.life().isOpening()) {
                checkAttempt();
                connections.leaveIfEnding(toOpen);
                isOpening = toOpen.isOpen() && now - nextAttemptNs >= 0;
                if (isOpening) {
                    backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
                    nextAttemptNs = now + backoffNs;
                    connections.openOutgoing(toOpen);
                }
            } else {
                isOpening = true;
            }
        }

        /**
         * Throws what the attempt has failed with that this wait has seen under way;
         * the connection may be over since.
         */
        @SuppressWarnings("NullAway") // an attempt has a connection; a message may be null
        private void checkAttempt() throws NodeUnreachableException {
            Exception cause = isOpening ? connection.connectFailure() : null;
            if (cause != null && !(cause instanceof StaleConnectionException)) {
                throw new NodeUnreachableException(cause.getMessage(), cause);
            }
        }

        private void checkProgress(PeerConnection open) throws SendTimeoutException {
            long now = System.nanoTime();
            long next = open.ring().progressMark();
            if (next != mark) {
                mark = next;
                markNs = now;
            } else if (now - markNs > timeoutMs * 1_000_000L && !open.ring().isWritable()) {
                throw new SendTimeoutException("node " + nodeId + " received nothing for " + timeoutMs
                        + " ms (sendTimeoutMs): its handlers are slow or stuck, or the network is");
            }
        }

        /** Any thread; the first one counts. */
        private void end(@Nullable Exception cause) {
            if (waits.remove(nodeId, this)) {
                failure = cause;
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
            return "whenWritable(" + nodeId + ")";
        }
    }
}
