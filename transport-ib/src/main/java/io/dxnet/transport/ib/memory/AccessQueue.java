package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Cause;
import io.dxnet.transport.memory.MemoryOperation.Kind;

/**
 * The queue pair of an access, what is in flight on it, and what becomes of it. Under the access'
 * lock, but for the final fields.
 *
 * <p>Reads and writes of up to 4 KiB, and those of memory that cannot be registered, are copied
 * through {@link BounceSlots}; larger ones use {@link LocalRegions}. An error ends the access: its
 * queue pair is destroyed before an operation is reported, so that the device accesses no local
 * memory afterwards. An operation that is copied and late is reported without that; one whose local
 * memory is closed, when nothing of it is in flight.
 */
final class AccessQueue {
    private enum State {
        NEW,
        OPEN,
        FAILED,
        CLOSED
    }

    private static final int COMPLETIONS = 32;

    private final MemoryDevice device;
    private final LocalRegions regions;
    private final int owner;
    private final AccessPair pair;
    private final BounceSlots slots;
    private final Flight flight;
    private final LoneMove lone;
    private final WorkCompletion completions = new WorkCompletion(COMPLETIONS);
    private final Works works = new Works();
    private final PostingTime time = new PostingTime();
    private Requests requests; // null until it is open
    private State state = State.NEW;
    private Failure failure; // null: none
    private boolean isFlushed; // one was not carried out, and so none behind it

    AccessQueue(
            MemoryDevice device, ProtectionDomain domain, LocalRegions regions, CompletionChannel channel, int owner) {
        this.device = device;
        this.regions = regions;
        this.owner = owner;
        this.pair = new AccessPair(device, domain, channel);
        this.flight = new Flight(pair.depth());
        try {
            this.slots = new BounceSlots(domain);
        } catch (VerbsException e) {
            pair.destroy();
            throw e;
        }
        this.lone = new LoneMove(this, pair, flight, slots, completions);
    }

    /** {@return the queue pair, whose address is final} */
    AccessPair pair() {
        return pair;
    }

    /** {@return reads and writes that are posted before their operation} */
    LoneMove lone() {
        return lone;
    }

    /** {@return its operations} */
    Works works() {
        return works;
    }

    boolean isNew() {
        return state == State.NEW;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** {@return whether anything is in flight} */
    boolean isBusy() {
        return !flight.isEmpty();
    }

    /** {@return whether the end of anything in flight is to be noticed soon} */
    boolean isAwaited() {
        return flight.isAwaited();
    }

    /** Connects. */
    void open(AccessReply remote) {
        pair.connect(remote.pair());
        requests = new Requests(pair.queuePair(), flight, slots, remote, device.messageBytesMax());
        lone.open(requests);
        state = State.OPEN;
    }

    /** A chain begins, or a thread has waited. */
    void timePassed() {
        time.passed();
    }

    /** It is not posted, because one before it failed. */
    void failAs(Work work, Work before) {
        work.failedAs(before);
        works.ended(work);
    }

    /**
     * Registers its memory, where it is not copied.
     *
     * @param mayCopy whether the thread that processes completions may access it
     * @return whether it can be posted; if false, it has ended
     */
    boolean prepare(Work work, boolean mayCopy) {
        boolean registers = Requests.mustRegister(work.operation(), mayCopy);
        boolean isHarmless = work.operation().kind() == Kind.READ && !registers; // even when it is late
        if (state != State.OPEN) {
            endAsAccess(work);
        } else if (!isHarmless && time.isLate(work.operation())) {
            end(work, Outcome.NOT_DONE, Cause.TIMEOUT, "its deadline had passed before it was posted");
        } else if (registers) {
            register(work);
        }
        return !work.isEnded();
    }

    private void register(Work work) {
        try {
            work.lease(regions.acquire(work.operation().local()));
        } catch (RuntimeException e) { // the segment's arena was closed
            end(work, Outcome.NOT_DONE, Cause.LOCAL, inaccessible(e));
        }
    }

    private static String inaccessible(Throwable e) {
        return "its local memory is not accessible: " + e.getMessage();
    }

    /** Appends the next piece to the chain. {@return false where there is no room} */
    boolean append(Work work) {
        try {
            return requests.append(work);
        } catch (RuntimeException | InternalError e) { // the segment's arena was closed, or a mapped file is shorter
            work.abandon(outcome(work), Cause.LOCAL, inaccessible(e));
            return true;
        }
    }

    /** It fails as the access did. */
    void endAsAccess(Work work) {
        end(work, outcome(work), failure.cause(), failure.detail());
    }

    /** All is posted. */
    void posted(Work work) {
        if (!work.isEnded() && !work.isInFlight()) {
            end(work); // of 0 bytes, abandoned, or the last piece arrived while its thread waited
        }
    }

    /** No thread uses it for posting any more. */
    void postingEnds(Work work) {
        work.postingEnds();
        works.recycle(work);
    }

    /** Whether it was carried out, where what is posted of it comes to nothing. */
    private static Outcome outcome(Work work) {
        return work.isTouched() || work.isInFlight() ? Outcome.UNKNOWN : Outcome.NOT_DONE;
    }

    /** Posts the chain. */
    void postChain() {
        int refused = requests == null ? 0 : requests.post();
        if (refused > 0) {
            refused(refused);
        }
    }

    /** The device did not accept so many of the newest pieces in flight. */
    void refused(int count) {
        fail(new Failure(Cause.LOST, false, "the device accepts no requests"), flight.size() - count);
    }

    /** Its first operation reached its deadline while there was no room. */
    void noRoom(Work work) {
        String detail = "the queue to node " + owner + " had no room until its deadline";
        if (work.lease() != null && work.isInFlight()) {
            stop(true);
            endLate(work);
        } else {
            end(work, outcome(work), Cause.TIMEOUT, detail);
        }
    }

    /** After the queue pair is gone. */
    private void endLate(Work work) {
        if (!work.isEnded()) {
            end(work, Outcome.UNKNOWN, Cause.TIMEOUT, "node " + owner + " did not answer until its deadline");
        }
        fail(
                new Failure(Cause.LOST, false, "the access ended: an operation was not complete at its deadline"),
                Integer.MAX_VALUE);
    }

    /** It was carried out, or abandoned. */
    private void end(Work work) {
        work.end();
        release(work);
    }

    private void end(Work work, Outcome outcome, Cause cause, String detail) {
        work.failed(outcome, cause, detail);
        release(work);
    }

    private void release(Work work) {
        if (work.lease() != null) {
            regions.release(work.lease());
            work.lease(null);
        }
        works.ended(work);
    }

    /** Polls, and processes completions. {@return whether there were any} */
    boolean process() {
        int count = 0;
        try {
            count = pair.poll(completions);
        } catch (VerbsException | IllegalStateException e) {
            fail(new Failure(Cause.LOST, false, "the device failed: " + e.getMessage()), Integer.MAX_VALUE);
        }
        process(count);
        return count > 0;
    }

    /** Processes so many completions that were polled. */
    void process(int count) {
        for (int i = 0; i < count && !pair.isGone(); i++) {
            completed(completions.at(i));
        }
    }

    /**
     * Requests between signaled ones have no completion unless they fail or are flushed: what is
     * before this one in flight was carried out, up to the first that was not.
     */
    private void completed(WorkCompletion completion) {
        if (isFlushed) {
            return;
        }
        while (!flight.isEmpty() && flight.at(0).id() < completion.id()) {
            arrived(flight.at(0));
        }
        if (!completion.isSuccess()) {
            isFlushed = true;
            if (state == State.OPEN) {
                Failure found = Failure.of(owner, completion.status());
                fail(found, found.isRefusal() ? 1 : Integer.MAX_VALUE);
            }
        } else if (!flight.isEmpty() && flight.at(0).id() == completion.id()) {
            arrived(flight.at(0));
        }
    }

    private void arrived(Flight.Piece piece) {
        Work work = piece.work();
        work.arrived();
        if (!work.isEnded()) {
            deliver(work, piece);
        }
        slots.release(piece.slot());
        flight.removeOldest();
        if (!work.isEnded() && work.isPosted() && !work.isInFlight()) {
            end(work);
        }
        works.recycle(work);
    }

    private void deliver(Work work, Flight.Piece piece) {
        try {
            slots.deliver(work, piece);
        } catch (RuntimeException | InternalError e) { // closed, read-only, or of a file that is shorter than it was
            end(work, Outcome.UNKNOWN, Cause.LOCAL, inaccessible(e));
        }
    }

    /**
     * Ends the access, and fails what is in flight.
     *
     * @param unexecuted the first piece in flight that was certainly not carried out
     */
    void fail(Failure why, int unexecuted) {
        if (state == State.OPEN || state == State.NEW) {
            state = State.FAILED;
            failure = why;
        }
        stop(false);
        for (int i = 0; !flight.isEmpty(); i++) {
            Flight.Piece piece = flight.at(0);
            Work work = piece.work();
            work.dropped();
            if (!work.isEnded()) {
                boolean isWhole = i == 0 && why.isRefusal() && isOnePacket(work.operation(), piece);
                Outcome outcome =
                        !work.isTouched() && (i >= unexecuted || isWhole) ? Outcome.NOT_DONE : Outcome.UNKNOWN;
                end(work, outcome, why.cause(), why.detail());
            }
            slots.release(piece.slot());
            flight.removeOldest();
            works.recycle(work);
        }
    }

    /** A refused write of several packets may have been carried out in part. */
    private boolean isOnePacket(MemoryOperation operation, Flight.Piece piece) {
        return operation.kind() != Kind.WRITE || piece.bytes() <= device.mtuBytes();
    }

    /**
     * Destroys the queue pair: the device accesses no local memory afterwards.
     *
     * @param drains whether what is complete by then counts
     */
    private void stop(boolean drains) {
        if (!pair.isGone() && drains) {
            if (state == State.OPEN) {
                pair.toError();
                state = State.FAILED;
                failure = new Failure(Cause.LOST, false, "an operation was not complete at its deadline");
            }
            processAll();
        }
        pair.destroy();
    }

    /**
     * Fails what is late and not complete.
     *
     * @param isPolled whether what is complete is left to a thread that polls
     * @return the next deadline, at most the limit
     */
    long expire(long nowNs, long limitNs, boolean isPolled) {
        long next = limitNs;
        if (flight.isAnyLate(nowNs)) {
            processAll(); // what is complete is not late
        } else if (!isPolled) {
            process();
        }
        Work late = null;
        for (int i = 0; i < flight.size(); i++) {
            Work work = flight.at(i).work();
            if (work.isEnded()) {
                continue;
            }
            long deadlineNs = work.operation().deadlineNs();
            if (nowNs - deadlineNs < 0) {
                next = deadlineNs - next < 0 ? deadlineNs : next;
            } else if (work.lease() == null) {
                end(work, Outcome.UNKNOWN, Cause.TIMEOUT, "node " + owner + " did not answer until its deadline");
            } else {
                late = late == null ? work : late;
            }
        }
        if (late != null) {
            stop(true);
            endLate(late);
        }
        return next;
    }

    private void processAll() {
        boolean found;
        do {
            found = process();
        } while (found);
    }

    /** Fails what is in flight, and frees all. */
    void close() {
        if (state != State.CLOSED) {
            boolean wasOpen = state == State.OPEN;
            state = State.CLOSED;
            failure = new Failure(Cause.CLOSED, false, "the access was closed");
            stop(wasOpen);
            fail(failure, Integer.MAX_VALUE);
            slots.close();
        }
    }
}
