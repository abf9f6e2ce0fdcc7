package io.dxnet.softhca.roce;

/**
 * The requesting half of a reliable connection: cuts requests into packets, keeps a bounded number
 * of them in flight, and sends again from the oldest that is not acknowledged (go-back-N) after a
 * timeout, a negative acknowledgement, or an answer that skips one. Requests complete in order. A
 * request without packets is executed when all before it are complete. One thread at a time drives
 * it.
 *
 * <p>Packet sequence numbers, counted, from the oldest:
 *
 * <pre>
 *      unacknowledged           next              high
 *  acked    |   in flight        |  sent before     |   never sent
 *  ---------+--------------------+------------------+------------
 * </pre>
 *
 * <p>A read has as many numbers as its answer has packets. It is requested in pieces of
 * {@value #READ_PIECE} packets at most, with fixed borders, so that a repeated request never
 * covers more than the one that it repeats.
 */
public final class RequesterMachine {
    /** So many packets answer one request of a read. */
    static final int READ_PIECE = 16;

    /** Of {@link #dueNs}: no time. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int FOR_EVER = 7;
    private static final int NONE = -1;

    private final RequestSource source;
    private final Wire wire;
    private final RequestPackets packets;
    private final RequesterSettings settings;
    private final SendWindow window;
    private final Flights flights = new Flights();
    private final ReadsOutstanding reads = new ReadsOutstanding();
    private final Request request = new Request();

    /** The request that {@link #request} holds, or none. */
    private long loaded = NONE;

    private long unacknowledged;
    private long next;
    private long high;

    /**
     * The packet that was built last, or null: the next one is sent behind it, or it requests an
     * acknowledgement for all. Null outside of {@link #advance}.
     */
    private Packet held;

    /** Packets of messages since the last that requests an acknowledgement. */
    private int unasked;

    /** A request that cannot be sent, and why; it fails when it is the oldest. */
    private long broken = NONE;

    private RequestStatus brokenStatus = RequestStatus.SUCCESS;
    private boolean stopped;

    /** The time of the last progress; meaningful while packets are in flight. */
    private long progressNs;

    private int attempts;
    private int notReadyAttempts;

    /** Whether it waits for a receiver that is not ready, and until when. */
    private boolean waiting;

    private long readyNs;

    /** The number from which it has sent again without progress since, or none. */
    private long wentBackTo = NONE;

    /**
     * Creates a requester that has sent nothing.
     *
     * @param source its requests
     * @param wire the way to the responder
     * @param settings what it is set to
     * @param firstSequence the number of its first request
     */
    public RequesterMachine(RequestSource source, Wire wire, RequesterSettings settings, long firstSequence) {
        this.source = source;
        this.wire = wire;
        this.settings = settings;
        this.packets = new RequestPackets(settings.peer(), settings.pathMtu());
        this.window = new SendWindow(settings.pathMtu(), settings.windowBytes());
        unacknowledged = settings.firstPsn();
        next = unacknowledged;
        high = unacknowledged;
        flights.reset(firstSequence);
    }

    /**
     * Sends what may be sent. Called after requests were posted.
     *
     * @param nowNs the time
     */
    public void advance(long nowNs) {
        while (!stopped && !waiting) {
            long sequence = flights.with(next);
            if (sequence == flights.started()) {
                if (!start()) {
                    break;
                }
                if (flights.isEmpty()) {
                    continue;
                }
            }
            if (broken != NONE && sequence >= broken || !sendNext(sequence, nowNs)) {
                break;
            }
        }
        sendHeld();
        failBroken();
    }

    /** Sends the last packet for now. */
    private void sendHeld() {
        if (held != null) {
            held.requestAcknowledgement();
            wire.send(held);
            held = null;
            unasked = 0;
        }
    }

    /** Sends the packet before the one that was built, which has to wait for what follows. */
    private void hold() {
        if (held != null) {
            wire.send(held);
        }
        held = packets.packet();
    }

    /** Starts the next request; one without packets is complete then. */
    private boolean start() {
        long sequence = flights.started();
        if (broken != NONE || flights.isFull() || sequence >= source.startable() || !load(sequence)) {
            return false;
        }
        if (request.fenced && reads.count() > 0) {
            return false;
        }
        if (request.kind == RequestKind.LOCAL) {
            return flights.isEmpty() && execute(sequence);
        }
        long packets = request.kind.isAtomic()
                ? 1
                : Math.max(1, (request.length + settings.pathMtu() - 1) / settings.pathMtu());
        flights.start(request, next, packets);
        return true;
    }

    private boolean execute(long sequence) {
        RequestStatus status = source.execute(sequence);
        loaded = NONE;
        flights.start(request, next, 0);
        if (status != RequestStatus.SUCCESS) {
            fail(status);
            return false;
        }
        flights.finishHead();
        source.complete(sequence, status);
        return true;
    }

    private boolean load(long sequence) {
        if (loaded != sequence) {
            RequestStatus status = source.load(sequence, request);
            if (status != RequestStatus.SUCCESS) {
                breakAt(sequence, status);
                return false;
            }
            loaded = sequence;
        }
        return true;
    }

    private void breakAt(long sequence, RequestStatus status) {
        broken = sequence;
        brokenStatus = status;
        loaded = NONE;
    }

    private boolean sendNext(long sequence, long nowNs) {
        if (!load(sequence)) {
            return false;
        }
        long count = request.kind == RequestKind.READ ? readPiece(sequence) : 1;
        if (next != unacknowledged && next + count - unacknowledged > window.packets()) {
            return false;
        }
        if (request.kind.isFetch() && reads.count() >= Math.min(settings.maxReads(), ReadsOutstanding.CAPACITY)) {
            return false;
        }
        if (!build(sequence, count)) {
            return false;
        }
        if (unacknowledged == high) {
            progressNs = nowNs;
        }
        next += count;
        if (request.kind.isFetch()) {
            reads.add(next);
        }
        high = Math.max(high, next);
        hold();
        return true;
    }

    private long readPiece(long sequence) {
        long index = next - flights.first(sequence);
        long border = flights.first(sequence) + (index / READ_PIECE + 1) * READ_PIECE;
        return Math.min(border, flights.end(sequence)) - next;
    }

    private boolean build(long sequence, long count) {
        if (held == packets.packet()) {
            packets.swap();
        }
        long index = next - flights.first(sequence);
        if (request.kind == RequestKind.READ) {
            packets.buildRead(request, next, index, count);
            unasked = 0;
            return true;
        }
        if (request.kind.isAtomic()) {
            packets.buildAtomic(request, next);
            unasked = 0;
            return true;
        }
        boolean isLast = next + 1 == flights.end(sequence);
        boolean asks = ++unasked >= window.acknowledgeEvery();
        if (asks) {
            unasked = 0;
        }
        int bytes = packets.buildMessage(request, next, index, isLast, asks);
        if (bytes > 0 && !source.gather(sequence, index * settings.pathMtu(), packets.packet(), bytes)) {
            breakAt(sequence, RequestStatus.LOCAL_PROTECTION);
            return false;
        }
        return true;
    }

    /**
     * Processes an answer of the responder, and continues.
     *
     * @param answer a packet of which {@link Opcode#isResponse} holds
     * @param nowNs the time
     */
    public void receive(Packet answer, long nowNs) {
        if (stopped) {
            return;
        }
        long psn = inFlight(answer.psn());
        if (psn == NONE) {
            receiveOvertaken(answer, nowNs);
            return;
        }
        int opcode = answer.opcode();
        if (opcode == Opcode.ACKNOWLEDGE) {
            acknowledge(psn, AethDescriptor.syndrome(answer.bytes()), nowNs);
        } else {
            fetch(psn, answer, nowNs);
        }
        advance(nowNs);
    }

    /**
     * What was refused has arrived before the refusal was sent, which then names the packet behind
     * all that was sent: it acknowledges these.
     */
    private void receiveOvertaken(Packet answer, long nowNs) {
        if (answer.opcode() != Opcode.ACKNOWLEDGE
                || unacknowledged == high
                || Psn.counted(answer.psn(), unacknowledged) != high) {
            return;
        }
        int syndrome = AethDescriptor.syndrome(answer.bytes());
        if (syndrome == AethDescriptor.MISSING || AethDescriptor.isNotReady(syndrome)) {
            if (!moveTo(high, nowNs)) {
                goBack(nowNs);
            }
            advance(nowNs);
        }
    }

    private void acknowledge(long psn, int syndrome, long nowNs) {
        boolean isPositive = AethDescriptor.isAcknowledged(syndrome);
        if (!moveTo(isPositive ? psn + 1 : psn, nowNs)) {
            goBack(nowNs);
            return;
        }
        if (isPositive) {
            return;
        }
        if (AethDescriptor.isNotReady(syndrome)) {
            waitUntilReady(RetryTimes.notReadyNs(AethDescriptor.value(syndrome)), nowNs);
            return;
        }
        switch (syndrome) {
            case AethDescriptor.MISSING -> goBack(nowNs);
            case AethDescriptor.INVALID_REQUEST -> fail(RequestStatus.REMOTE_INVALID_REQUEST);
            case AethDescriptor.ACCESS_ERROR -> fail(RequestStatus.REMOTE_ACCESS);
            case AethDescriptor.OPERATION_ERROR -> fail(RequestStatus.REMOTE_OPERATION);
            default -> {} // a reserved code means nothing
        }
    }

    /**
     * Processes a positive acknowledgement, and continues.
     *
     * @param psn its packet sequence number, as on the wire
     * @param nowNs the time
     */
    public void acknowledge(int psn, long nowNs) {
        long counted = inFlight(psn);
        if (!stopped && counted != NONE) {
            acknowledge(counted, AethDescriptor.ACKNOWLEDGED, nowNs);
            advance(nowNs);
        }
    }

    /** The counted number of a packet that is not acknowledged, or none. */
    private long inFlight(int psn) {
        long counted = Psn.counted(psn, unacknowledged);
        return counted >= unacknowledged && counted < high ? counted : NONE;
    }

    /** An answer to a read or an atomic operation acknowledges all earlier packets. */
    private void fetch(long psn, Packet answer, long nowNs) {
        if (!moveTo(psn, nowNs)) {
            goBack(nowNs);
            return;
        }
        long sequence = flights.head();
        if (flights.isEmpty() || flights.first(sequence) > psn) {
            return;
        }
        RequestKind kind = flights.kind(sequence);
        boolean isAtomic = answer.opcode() == Opcode.ATOMIC_ACKNOWLEDGE;
        if (!kind.isFetch() || kind.isAtomic() != isAtomic) {
            return;
        }
        boolean written;
        if (isAtomic) {
            written = source.scatterValue(sequence, AtomicAckDescriptor.value(answer.bytes()));
        } else {
            long offset = (psn - flights.first(sequence)) * settings.pathMtu();
            if (answer.payloadBytes() != Math.min(settings.pathMtu(), flights.length(sequence) - offset)) {
                return;
            }
            written = source.scatter(sequence, offset, answer);
        }
        if (written) {
            progress(psn + 1, nowNs);
            completeDone();
        } else {
            fail(RequestStatus.LOCAL_PROTECTION);
        }
    }

    /**
     * Moves the border of what is acknowledged; reads and atomic operations whose answer is missing
     * stop it.
     *
     * @return whether it got there
     */
    private boolean moveTo(long target, long nowNs) {
        long reached = unacknowledged;
        for (long sequence = flights.head(); sequence < flights.started() && reached < target; sequence++) {
            if (flights.kind(sequence).isFetch()) {
                break;
            }
            reached = Math.min(target, flights.end(sequence));
        }
        if (reached > unacknowledged) {
            progress(reached, nowNs);
            completeDone();
        }
        return reached >= target || stopped;
    }

    private void progress(long reached, long nowNs) {
        window.onProgress(reached - unacknowledged);
        unacknowledged = reached;
        next = Math.max(next, reached);
        progressNs = nowNs;
        attempts = 0;
        notReadyAttempts = 0;
        waiting = false;
        wentBackTo = NONE;
        reads.removeUpTo(reached);
    }

    private void completeDone() {
        while (!stopped && !flights.isEmpty() && flights.end(flights.head()) <= unacknowledged) {
            long sequence = flights.head();
            flights.finishHead();
            source.complete(sequence, RequestStatus.SUCCESS);
        }
        if (broken != NONE && flights.head() > broken) {
            broken = NONE; // it could not be sent again, and need not be
        }
    }

    private void failBroken() {
        if (!stopped && broken != NONE && flights.head() == broken) {
            fail(brokenStatus);
        }
    }

    private void fail(RequestStatus status) {
        stopped = true;
        source.complete(flights.head(), status);
    }

    private void goBack(long nowNs) {
        if (!stopped && wentBackTo != unacknowledged) {
            resend(nowNs);
        }
    }

    private void resend(long nowNs) {
        wentBackTo = unacknowledged;
        next = unacknowledged;
        progressNs = nowNs;
        reads.clear();
        window.onLoss();
    }

    private void waitUntilReady(long delayNs, long nowNs) {
        if (waiting || stopped) {
            return;
        }
        if (settings.notReadyRetries() != FOR_EVER && notReadyAttempts++ >= settings.notReadyRetries()) {
            fail(RequestStatus.NOT_READY_EXCEEDED);
            return;
        }
        attempts = 0;
        waiting = true;
        readyNs = nowNs + delayNs;
        next = unacknowledged;
        reads.clear();
    }

    /**
     * {@return the time at which {@link #onTime} is to be called, or {@link #NEVER}}
     */
    public long dueNs() {
        if (stopped) {
            return NEVER;
        }
        if (waiting) {
            return readyNs;
        }
        return unacknowledged < high && settings.timeoutNs() != 0 ? progressNs + settings.timeoutNs() : NEVER;
    }

    /**
     * Sends again what was not answered in time, or to a receiver that was not ready.
     *
     * @param nowNs the time
     */
    public void onTime(long nowNs) {
        long due = dueNs();
        if (due == NEVER || due - nowNs > 0) {
            return;
        }
        if (waiting) {
            waiting = false;
            progressNs = nowNs;
        } else if (attempts++ >= settings.retries()) {
            fail(RequestStatus.RETRIES_EXCEEDED);
        } else {
            resend(nowNs);
        }
        advance(nowNs);
    }

    /** Asks for a request's memory again before it is used again: keys may have changed. */
    public void invalidate() {
        loaded = NONE;
    }

    /** Ends the machine: it sends and completes nothing any more. */
    public void stop() {
        stopped = true;
    }

    /**
     * {@return whether requests were started that are not complete}
     */
    public boolean isBusy() {
        return !stopped && !flights.isEmpty();
    }
}
