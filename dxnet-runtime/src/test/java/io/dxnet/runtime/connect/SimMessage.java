package io.dxnet.runtime.connect;

import io.dxnet.ConnectionLostException;
import io.dxnet.runtime.request.PendingRequest;

/** A message of the simulation, and what became of it. */
final class SimMessage {
    /** What its sender knows. */
    enum Fate {
        /** The sender waits for room, or for a connection. */
        WAITING,
        /** It is in a ring. */
        ACCEPTED,
        /** The sender got an exception. */
        TOLD
    }

    final SimNode sender;
    final int destination;
    final int thread;
    final int number; // of the thread to the destination
    final int bytes; // with the header
    final int depth; // callbacks that led to it: 0 for one of an application thread
    final PendingRequest request; // null for a message or a response
    final SimMessage answers; // null but for a response
    Fate fate = Fate.WAITING;
    int handled;

    SimMessage(
            SimNode sender,
            int destination,
            int thread,
            int number,
            int bytes,
            int depth,
            PendingRequest request,
            SimMessage answers) {
        this.sender = sender;
        this.destination = destination;
        this.thread = thread;
        this.number = number;
        this.bytes = bytes;
        this.depth = depth;
        this.request = request;
        this.answers = answers;
    }

    boolean isAnswered() {
        return request.isDone() && request.failure() == null;
    }

    boolean isLostWithItsConnection() {
        return request.isDone() && request.failure() instanceof ConnectionLostException;
    }

    @Override
    public String toString() {
        return (answers != null ? "response" : request != null ? "request" : "message") + " " + number + " of thread "
                + thread + " of " + sender + " to node " + destination + ", " + bytes + " bytes, " + fate;
    }
}
