package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.Response;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.request.ServiceRequest;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Access by messages: the owner's engine carries operations out. They are sent in the order in
 * which they were posted, in pieces, of which a bounded number is in flight. Any thread.
 */
final class CarriedAccess implements MemoryAccess {
    private static final int PIECES_MAX = 64;
    private static final long BYTES_MAX = 2 << 20;
    private static final int CHAINS_MAX = 1024;
    private static final long POLL_NS = 50_000;
    private static final long CLOSE_NS = 1_000_000_000L;

    private final Requester requester;
    private final Failures failures;
    private final int owner;
    private final long attachment;
    private final int pieceMax;
    private final Deque<Chain> chains = new ArrayDeque<>(); // under the monitor, as all below
    private final Set<Piece> flying = new HashSet<>();
    private long flyingBytes;
    private boolean closed;
    private final AtomicInteger pumps = new AtomicInteger(); // calls that wait for the one thread that sends
    private volatile @Nullable Thread pumping;

    /**
     * Of one attachment.
     *
     * @param pieceMax the most bytes of one message
     */
    CarriedAccess(Requester requester, Failures failures, int owner, long attachment, int pieceMax) {
        this.requester = requester;
        this.failures = failures;
        this.owner = owner;
        this.attachment = attachment;
        this.pieceMax = pieceMax;
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
        Chain chain = new Chain(operations, pieceMax);
        if (!enqueue(chain)) {
            fail(chain.unbegun(), failures.of(MemoryOperation.Cause.CLOSED, Outcome.NOT_DONE, "it was detached"));
            return;
        }
        pump();
    }

    /** Waits for a place in the queue; false when it is closed, or there is none in time. */
    private boolean enqueue(Chain chain) {
        EngineThread worker = EngineThread.currentWorker();
        int step = 0;
        for (; ; ) {
            synchronized (this) {
                if (closed) {
                    return false;
                }
                if (chains.size() < CHAINS_MAX) {
                    chains.add(chain);
                    return true;
                }
            }
            if (System.nanoTime() - chain.deadlineNs() > 0) {
                return false;
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
     * them.
     *
     * @return false: they need to be posted
     */
    boolean tryExecute(MemoryOperation... operations) {
        Chain chain = new Chain(operations, pieceMax);
        Piece piece = chain.next();
        synchronized (this) {
            if (!chain.isExhausted() || !chains.isEmpty() || closed) {
                return false;
            }
        }
        try {
            piece.answered(requester.sendSync(piece.request(), piece.timeout()));
        } catch (DXNetException | RuntimeException e) {
            piece.failed(e);
        }
        piece.progress.end();
        return true;
    }

    // ---------------------------------------------------------------- sending

    /** Sends what may be sent; one thread at a time does. */
    private void pump() {
        if (pumps.getAndIncrement() != 0) {
            return;
        }
        int calls = 1;
        do {
            pumping = Thread.currentThread();
            for (Piece piece = next(); piece != null; piece = next()) {
                send(piece);
            }
            pumping = null;
            calls = pumps.addAndGet(-calls);
        } while (calls != 0);
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
            flyingBytes += piece.bytes;
            return piece;
        }
    }

    private void send(Piece piece) {
        Duration timeout = piece.timeout();
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
        Exception failure = piece.failure;
        List<Progress> over = new ArrayList<>(1);
        Collection<PostedOperation> dropped = List.of();
        synchronized (this) {
            if (flying.remove(piece)) {
                flyingBytes -= piece.bytes;
            }
            piece.progress.left--;
            if (failure != null) {
                dropped = piece.chain.stop(failure, over);
            }
            if (piece.progress.left == 0 && !over.contains(piece.progress)) {
                over.add(piece.progress);
            }
        }
        over.forEach(Progress::end);
        if (failure != null) {
            fail(dropped, Failures.notDone(failure));
        }
        pump();
    }

    private static void fail(Collection<PostedOperation> operations, Exception cause) {
        operations.forEach(each -> each.fail(cause));
    }

    @Override
    public void close() {
        List<PostedOperation> waiting = new ArrayList<>();
        List<Progress> over = new ArrayList<>();
        List<Piece> pieces;
        Exception cause = failures.of(MemoryOperation.Cause.CLOSED, Outcome.NOT_DONE, "it was detached");
        synchronized (this) {
            closed = true;
            chains.forEach(chain -> waiting.addAll(chain.stop(cause, over)));
            chains.clear();
            pieces = List.copyOf(flying);
        }
        for (Piece piece : pieces) {
            piece.abandon();
            piece.progress.failAll(
                    failures.of(MemoryOperation.Cause.CLOSED, piece.outcomeIfSent(), "it was detached meanwhile"));
        }
        over.forEach(Progress::end);
        fail(waiting, cause);
        long deadlineNs = System.nanoTime() + CLOSE_NS;
        while (pumps.get() != 0
                && pumping != Thread.currentThread()
                && System.nanoTime() - deadlineNs < 0) { // it may export a local segment
            LockSupport.parkNanos(this, POLL_NS);
        }
    }

    // ---------------------------------------------------------------- pieces

    /** Operations that were posted together, and which of them are sent. */
    private final class Chain {
        private final MemoryOperation[] operations;
        private final int pieceMax;
        private int at; // the operation that is sent
        private long position; // in that one
        private @Nullable Progress progress; // of that one; null: it has not begun
        private boolean isFirst = true;

        Chain(MemoryOperation[] operations, int pieceMax) {
            this.operations = operations;
            this.pieceMax = pieceMax;
        }

        long deadlineNs() {
            return operations[0].deadlineNs();
        }

        boolean isExhausted() {
            return at == operations.length;
        }

        long nextBytes() {
            MemoryOperation operation = operations[at];
            return isCopy(operation) ? Math.min(pieceMax, operation.length() - position) : 0;
        }

        private static boolean isCopy(MemoryOperation operation) {
            return operation.kind() == MemoryOperation.Kind.READ || operation.kind() == MemoryOperation.Kind.WRITE;
        }

        /** The notification that the last piece of a write carries; null: none does. */
        private @Nullable MemoryOperation notification() {
            boolean isWrite = operations[at].kind() == MemoryOperation.Kind.WRITE;
            MemoryOperation next = isWrite && at + 1 < operations.length ? operations[at + 1] : null;
            return next != null && next.kind() == MemoryOperation.Kind.NOTIFY ? next : null;
        }

        private boolean isLast(long bytes) {
            return !isCopy(operations[at]) || position + bytes == operations[at].length();
        }

        /**
         * Whether the next piece waits until nothing is in flight: a listener must find all bytes.
         */
        boolean isFenced() {
            MemoryOperation operation = operations[at];
            boolean notifies =
                    operation.kind() == MemoryOperation.Kind.NOTIFY || notification() != null && isLast(nextBytes());
            return operation.isFenced() && position == 0 || notifies && !isFirst;
        }

        Piece next() {
            MemoryOperation operation = operations[at];
            long bytes = nextBytes();
            boolean isLast = isLast(bytes);
            MemoryOperation notification = isLast ? notification() : null;
            Progress of = progress == null ? new Progress((PostedOperation) operation) : progress;
            progress = of;
            if (!isLast) {
                of.left++; // else the last piece has the place of those that follow
            }
            of.notification = (PostedOperation) notification;
            Piece piece = new Piece(this, of, operation, position, (int) bytes, notification);
            isFirst = false;
            position += bytes;
            if (isLast) {
                at += notification == null ? 1 : 2;
                position = 0;
                progress = null;
            }
            return piece;
        }

        /**
         * Nothing more of it is sent.
         *
         * @param over gets the operation that has begun, where none of its pieces is in flight
         * @return the operations that have not begun
         */
        Collection<PostedOperation> stop(Exception cause, Collection<Progress> over) {
            Progress begun = progress;
            if (begun != null) {
                MemoryOperation notification = notification();
                begun.notification = (PostedOperation) notification;
                begun.failed(cause);
                if (--begun.left == 0) {
                    over.add(begun);
                }
                at += notification == null ? 1 : 2;
                progress = null;
            }
            Collection<PostedOperation> rest = unbegun();
            at = operations.length;
            return rest;
        }

        Collection<PostedOperation> unbegun() {
            List<PostedOperation> rest = new ArrayList<>();
            for (int i = at; i < operations.length; i++) {
                rest.add((PostedOperation) operations[i]);
            }
            return rest;
        }
    }

    /** One operation of which pieces are in flight. */
    private static final class Progress {
        private final PostedOperation operation;
        private @Nullable PostedOperation notification; // that the last piece carries
        private int left = 1; // pieces in flight, and one while more are to be sent; under the monitor
        private long previous;
        private volatile boolean anyDone;
        private volatile @Nullable Exception failure; // of one of its pieces

        Progress(PostedOperation operation) {
            this.operation = operation;
        }

        void failed(Exception cause) {
            if (failure == null) {
                failure = cause;
            }
        }

        /** All its pieces have ended. */
        void end() {
            Exception cause = failure;
            if (cause == null) {
                operation.done(previous);
                if (notification != null) {
                    notification.done(0);
                }
            } else {
                boolean isPartial = anyDone && operation.kind() != MemoryOperation.Kind.READ;
                failAll(isPartial ? Failures.partly(cause) : cause);
            }
        }

        void failAll(Exception cause) {
            operation.fail(cause);
            if (notification != null) {
                notification.fail(cause);
            }
        }
    }

    /** What one message carries. */
    private final class Piece {
        private final Chain chain;
        private final Progress progress;
        private final int bytes;
        private final ServiceRequest<?> request;
        private final @Nullable ReadTarget target; // of a read
        private @Nullable Exception failure;

        Piece(
                Chain chain,
                Progress progress,
                MemoryOperation operation,
                long position,
                int bytes,
                @Nullable MemoryOperation notification) {
            this.chain = chain;
            this.progress = progress;
            this.bytes = bytes;
            long offset = operation.offset();
            this.target = operation.kind() == MemoryOperation.Kind.READ
                    ? new ReadTarget(operation.local().asSlice(position, bytes))
                    : null;
            this.request = switch (operation.kind()) {
                case READ -> new ReadRequest(owner, attachment, offset + position, requireTarget());
                case WRITE ->
                    new WriteRequest(
                            owner,
                            attachment,
                            offset + position,
                            operation.local().asSlice(position, bytes),
                            of(notification));
                case NOTIFY ->
                    new WriteRequest(
                            owner, attachment, offset, operation.local().asSlice(0, 0), of(operation));
                case FETCH_ADD -> new AtomicRequest(owner, attachment, offset, false, operation.value(), 0);
                case COMPARE_AND_SWAP ->
                    new AtomicRequest(owner, attachment, offset, true, operation.value(), operation.expected());
            };
        }

        @SuppressWarnings("NullAway") // a read has one
        private ReadTarget requireTarget() {
            return target;
        }

        private static WriteRequest.@Nullable Notification of(@Nullable MemoryOperation notification) {
            return notification == null
                    ? null
                    : new WriteRequest.Notification(
                            notification.offset(), notification.length(), (int) notification.value());
        }

        ServiceRequest<?> request() {
            return request;
        }

        Duration timeout() {
            return Duration.ofNanos(progress.operation.deadlineNs() - System.nanoTime());
        }

        Outcome outcomeIfSent() {
            return target == null ? Outcome.UNKNOWN : Outcome.NOT_DONE;
        }

        void abandon() {
            if (target != null) {
                target.abandon();
            }
        }

        void answered(Response response) {
            Status status = response instanceof StatusReply reply ? reply.status() : ((ReadReply) response).status();
            if (status != Status.OK) {
                failed(failures.of(status));
                return;
            }
            if (response instanceof StatusReply reply) {
                progress.previous = reply.value();
            }
            progress.anyDone = true;
        }

        void failed(Throwable error) {
            abandon();
            failure = failures.of(error, outcomeIfSent());
            progress.failed(failure);
        }
    }
}
