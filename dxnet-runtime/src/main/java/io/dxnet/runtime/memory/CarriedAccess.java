package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.Response;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Access by messages: the owner's engine carries operations out. They are sent in the order in
 * which they were posted, in pieces, of which a bounded number is in flight. Any thread.
 */
final class CarriedAccess implements MemoryAccess {
    private static final int PIECES_MAX = 64;
    private static final long BYTES_MAX = 2 << 20;
    /** Of one call that sends: none is handed over where all in flight are its own. */
    static final int STEPS_MAX = PIECES_MAX + 1;

    static final int CHAINS_MAX = 1024;
    private static final long POLL_NS = 50_000;

    private final Requester requester;
    private final Route route;
    private final Failures failures;
    // Never grows: one that can't would lose them. Under the monitor, as all below.
    private final Deque<Chain> chains = new ArrayDeque<>(CHAINS_MAX);
    private final Set<Piece> flying = new HashSet<>();
    private final List<Piece> executing = new ArrayList<>(); // each by a thread that waits for it
    private long flyingBytes;
    private boolean closed;
    private final Pump pump;
    private final Spares<LonePiece> lonePieces;

    /** Of one attachment. */
    CarriedAccess(Requester requester, Route route, Completions completions) {
        this.requester = requester;
        this.route = route;
        this.failures = route.failures();
        this.pump = new Pump(this::sendNext, STEPS_MAX, completions);
        this.lonePieces = new Spares<>(() -> new LonePiece(route));
    }

    @Override
    public byte[] request() {
        return new byte[0];
    }

    @Override
    public void open(byte[] reply) {
        // the attachment is all that it needs
    }

    // ---------------------------------------------------------------- posting

    @Override
    public void post(MemoryOperation... operations) {
        Chain chain = new Chain(operations, route);
        Exception refusal = enqueue(chain);
        if (refusal == null) {
            pump.run();
        } else {
            fail(chain.unbegun(), refusal);
        }
    }

    @Override
    public void postAndPoll(Pending pending, MemoryOperation... operations) {
        if (!tryExecute(operations)) {
            post(operations);
        }
    }

    /** Waits for a place in the queue, and returns why it did not get one; null: it has one. */
    private @Nullable Exception enqueue(Chain chain) {
        EngineThread worker = EngineThread.currentWorker();
        int step = 0;
        for (; ; ) {
            synchronized (this) {
                if (closed) {
                    return failures.of(MemoryOperation.Cause.CLOSED, Outcome.NOT_DONE, "it was detached");
                }
                if (chains.size() < CHAINS_MAX) {
                    chains.add(chain);
                    return null;
                }
            }
            if (System.nanoTime() - chain.deadlineNs() > 0) {
                return failures.of(
                        MemoryOperation.Cause.TIMEOUT, Outcome.NOT_DONE, CHAINS_MAX + " chains wait before it");
            }
            if (worker != null) {
                worker.progressOrPause(step++);
            } else {
                LockSupport.parkNanos(this, POLL_NS);
            }
        }
    }

    /**
     * Carries operations out on the calling thread, where they are one piece and none waits before
     * them. An access that is closed begins none: what {@link #close} has found is not begun again.
     *
     * @return false: they need to be posted
     */
    private boolean tryExecute(MemoryOperation... operations) {
        if (!LonePiece.isOne(operations, route.pieceMax())) {
            return false;
        }
        LonePiece lone = lonePieces.acquire();
        Piece piece;
        synchronized (this) {
            if (!chains.isEmpty() || closed) {
                lonePieces.release(lone);
                return false;
            }
            piece = lone.begin(operations);
            executing.add(piece);
        }
        boolean isCarriedOut = false;
        try {
            execute(lone, piece);
            isCarriedOut = piece.failure() == null; // else its request may still be answered
        } finally {
            executed(lone, piece, isCarriedOut);
        }
        return true;
    }

    private void execute(LonePiece lone, Piece piece) {
        Error thrown = null;
        try {
            piece.answered(lone.send(requester, piece));
        } catch (DXNetException | RuntimeException e) {
            piece.failed(e);
        } catch (Error e) {
            piece.failed(e);
            thrown = e;
        }
        piece.progress().end();
        if (thrown != null) {
            throw thrown;
        }
    }

    private void executed(LonePiece lone, Piece piece, boolean isCarriedOut) {
        synchronized (this) {
            executing.remove(piece);
            if (!isCarriedOut || closed) { // close() may still read it
                return;
            }
            lone.forget();
        }
        lonePieces.release(lone);
    }

    /** {@return whether all that was posted has ended} */
    synchronized boolean isIdle() {
        for (Chain each : chains) {
            if (!each.isExhausted()) {
                return false;
            }
        }
        return flying.isEmpty();
    }

    // ---------------------------------------------------------------- sending

    /** {@return whether there was a piece that may be sent} A step of the pump. */
    private boolean sendNext() {
        Piece piece = next();
        if (piece == null) {
            return false;
        }
        send(piece);
        return true;
    }

    private @Nullable Piece next() {
        synchronized (this) {
            Chain chain = chains.peek();
            while (chain != null && chain.isExhausted()) {
                chains.poll();
                chain = chains.peek();
            }
            if (chain == null
                    || !flying.isEmpty()
                            && (flying.size() >= PIECES_MAX
                                    || flyingBytes + chain.nextBytes() > BYTES_MAX
                                    || chain.isFenced())) {
                return null;
            }
            Piece piece = chain.next();
            flying.add(piece);
            flyingBytes += piece.bytes();
            return piece;
        }
    }

    private void send(Piece piece) {
        Duration timeout = Duration.ofNanos(piece.deadlineNs() - System.nanoTime());
        if (timeout.isNegative()) {
            ended(piece, null, failures.late(Outcome.NOT_DONE));
            return;
        }
        try {
            requester
                    .<Response>sendAsync(piece.request(), timeout)
                    .whenComplete((response, error) -> ended(piece, response, error));
        } catch (RuntimeException | Error e) {
            ended(piece, null, e);
        }
    }

    /** A piece was answered, or will not be. */
    private void ended(Piece piece, @Nullable Response response, @Nullable Throwable error) {
        if (response != null) {
            piece.answered(response);
        } else if (error != null) {
            piece.failed(error);
        }
        Exception failure = piece.failure();
        List<Progress> over = new ArrayList<>(1);
        Collection<PostedOperation> dropped = List.of();
        synchronized (this) {
            if (flying.remove(piece)) {
                flyingBytes -= piece.bytes();
            }
            boolean isLast = piece.progress().remove();
            if (failure != null) {
                dropped = piece.chain().stop(failure, over);
            }
            if (isLast && !over.contains(piece.progress())) {
                over.add(piece.progress());
            }
        }
        over.forEach(Progress::end);
        if (failure != null) {
            fail(dropped, Failures.notDone(failure));
        }
        pump.run();
    }

    private static void fail(Collection<PostedOperation> operations, Exception cause) {
        operations.forEach(each -> each.fail(cause));
    }

    @Override
    public void close() {
        List<PostedOperation> waiting = new ArrayList<>();
        List<Progress> over = new ArrayList<>();
        List<Piece> sent;
        Exception cause = failures.of(MemoryOperation.Cause.CLOSED, Outcome.NOT_DONE, "it was detached");
        synchronized (this) {
            closed = true;
            chains.forEach(chain -> waiting.addAll(chain.stop(cause, over)));
            chains.clear();
            sent = new ArrayList<>(flying);
            sent.addAll(executing);
        }
        sent.forEach(Piece::detach); // all: an operation ends with the first one that fails it
        sent.forEach(Piece::failDetached);
        // A request that is not in the map yet is not exported: its thread ends as well.
        requester.fail(request -> request instanceof PieceRequest<?> piece && piece.isAbandoned(), cause);
        over.forEach(Progress::end);
        fail(waiting, cause);
    }
}
