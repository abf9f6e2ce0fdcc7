package io.dxnet.runtime.memory;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetException;
import io.dxnet.NodeUnreachableException;
import io.dxnet.RequestTimeoutException;
import io.dxnet.SendTimeoutException;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.transport.memory.MemoryOperation;

/** Makes the exceptions of one region's operations. */
record Failures(int owner, String name) {
    private String what() {
        return "region " + name + " of node " + owner;
    }

    /** The owner has refused. */
    RemoteMemoryException of(Status status) {
        return switch (status) {
            case REVOKED ->
                new RemoteMemoryException.RegionRevoked(what() + " was closed by its owner", Outcome.NOT_DONE);
            case OUT_OF_BOUNDS ->
                new RemoteMemoryException.OutOfBounds("the owner refused the range: it is not in " + what());
            case NO_REGION -> new RemoteMemoryException.NoSuchRegion("node " + owner + " shares no region " + name);
            case UNKNOWN_ATTACHMENT ->
                new RemoteMemoryException.OwnerGone(
                        "the attachment to " + what()
                                + " is not valid any more: that node, or this one, runs as another"
                                + " incarnation now; attach again",
                        Outcome.NOT_DONE);
            case OK, NO_RIGHT, MISALIGNED ->
                new RemoteMemoryException.NoRight("the owner of " + what() + " refused: " + status);
        };
    }

    /**
     * A request failed, before or after it was sent.
     *
     * @param sent what is known of one that may have been sent
     */
    Exception of(Throwable error, Outcome sent) {
        return switch (error) {
            case RemoteMemoryException known -> known;
            case RequestTimeoutException late ->
                new RemoteMemoryException.TimedOut(what() + " did not answer in time", sent);
            case SendTimeoutException late ->
                new RemoteMemoryException.TimedOut(what() + ": its node received nothing in time", Outcome.NOT_DONE);
            case NodeUnreachableException gone ->
                new RemoteMemoryException.OwnerGone(what() + ": " + gone.getMessage(), Outcome.NOT_DONE);
            case ConnectionLostException gone ->
                new RemoteMemoryException.OwnerGone(what() + ": " + gone.getMessage(), sent);
            case DXNetException other -> new RemoteMemoryException.OwnerGone(what() + ": " + other.getMessage(), sent);
            case RuntimeException unchecked -> unchecked;
            default -> new DXNetException(what() + " failed", error);
        };
    }

    RemoteMemoryException of(MemoryOperation.Cause cause, Outcome outcome, String detail) {
        return switch (cause) {
            case TIMEOUT -> new RemoteMemoryException.TimedOut(what() + ": " + detail, outcome);
            case REFUSED -> new RemoteMemoryException.NoRight(what() + ": " + detail);
            case LOST, CLOSED, LOCAL -> new RemoteMemoryException.OwnerGone(what() + ": " + detail, outcome);
        };
    }

    RemoteMemoryException late(Outcome outcome) {
        return new RemoteMemoryException.TimedOut("an operation on " + what() + " was not complete in time", outcome);
    }

    /** {@return an equal one, whose stack trace is the caller's} */
    static DXNetException again(DXNetException failure) {
        return failure instanceof RemoteMemoryException known ? copy(known, known.outcome()) : failure;
    }

    /** {@return whether what failed so was, or may be, carried out} */
    static boolean mayBeDone(Exception failure) {
        return !(failure instanceof RemoteMemoryException known && known.outcome() == Outcome.NOT_DONE);
    }

    /** {@return the failure of an operation that was not begun, because of one before it} */
    static Exception notDone(Exception failure) {
        return failure instanceof RemoteMemoryException known ? copy(known, Outcome.NOT_DONE) : failure;
    }

    /** {@return the failure of an operation of which other pieces were, or may be, carried out} */
    static Exception partly(Exception failure) {
        return failure instanceof RemoteMemoryException known && known.outcome() != Outcome.UNKNOWN
                ? copy(known, Outcome.UNKNOWN)
                : failure;
    }

    private static RemoteMemoryException copy(RemoteMemoryException of, Outcome outcome) {
        String text = String.valueOf(of.getMessage());
        RemoteMemoryException copy = switch (of) {
            case RemoteMemoryException.RegionRevoked r -> new RemoteMemoryException.RegionRevoked(text, outcome);
            case RemoteMemoryException.OwnerGone r -> new RemoteMemoryException.OwnerGone(text, outcome);
            case RemoteMemoryException.TimedOut r -> new RemoteMemoryException.TimedOut(text, outcome);
            case RemoteMemoryException.OutOfBounds r -> new RemoteMemoryException.OutOfBounds(text);
            case RemoteMemoryException.NoRight r -> new RemoteMemoryException.NoRight(text);
            case RemoteMemoryException.NoSuchRegion r -> new RemoteMemoryException.NoSuchRegion(text);
        };
        copy.initCause(of);
        return copy;
    }
}
