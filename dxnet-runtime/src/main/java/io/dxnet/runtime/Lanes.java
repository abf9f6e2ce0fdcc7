package io.dxnet.runtime;

import java.util.function.BooleanSupplier;

/**
 * The header stores between the message creation coordinator and the handlers: one that all handlers share, one for each
 * handler for exclusive messages (all of a connection's go to the same one, DXNet §VI-A), and one for responses, which also the
 * handlers that wait for something empty: so a handler that waits for a response can't keep itself from getting it.
 * What is received before the response, and no store has room for, is kept by the coordinator meanwhile: {@link StoreOverflow}.
 */
final class Lanes {
    final MessageHeaderStore responses;
    final MessageHeaderStore shared;
    private final MessageHeaderStore[] exclusive;
    private final Doorbell[]
            doorbells; // of handlers with a thread of their own; null where the coordinator's thread is theirs
    private final BooleanSupplier[] waits; // of each handler; set before the agents run
    private int next; // the coordinator: whom to ring next

    Lanes(int capacity, int handlers) {
        this.responses = new MessageHeaderStore(capacity);
        this.shared = new MessageHeaderStore(capacity);
        this.exclusive = new MessageHeaderStore[handlers];
        this.doorbells = new Doorbell[handlers];
        this.waits = new BooleanSupplier[handlers];
        for (int i = 0; i < handlers; i++) {
            // With one handler all is ordered anyway.
            exclusive[i] = handlers == 1 ? shared : new MessageHeaderStore(capacity);
        }
    }

    int handlers() {
        return exclusive.length;
    }

    void doorbell(int handler, Doorbell doorbell) {
        doorbells[handler] = doorbell;
    }

    /**
     * Sets a handler's state, before the agents run.
     *
     * @param isWaiting whether it waits inside a callback; any thread
     */
    void handler(int handler, BooleanSupplier isWaiting) {
        waits[handler] = isWaiting;
    }

    /** Whether a handler waits inside a callback. Any thread; a snapshot. */
    boolean isHandlerWaiting() {
        for (BooleanSupplier each : waits) {
            if (each != null && each.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    MessageHeaderStore exclusive(int handler) {
        return exclusive[handler];
    }

    /** Which handler gets a connection's exclusive messages. */
    int handlerOf(int nodeId) {
        return nodeId % exclusive.length;
    }

    /** Wakes a handler for an entry of a store that every handler empties: one that sleeps, if there is one. */
    void ringAny() {
        int handlers = doorbells.length;
        for (int i = 0; i < handlers; i++) {
            next = next + 1 < handlers ? next + 1 : 0;
            Doorbell doorbell = doorbells[next];
            if (doorbell != null && doorbell.isWaiting()) {
                doorbell.ring();
                return;
            }
        }
    }

    /** Wakes one handler. */
    void ring(int handler) {
        Doorbell doorbell = doorbells[handler];
        if (doorbell != null) {
            doorbell.ring();
        }
    }

    /** Gives back the buffers of all that no handler gets any more. After the threads of the stages have ended. */
    void discard() {
        responses.discard();
        shared.discard();
        for (MessageHeaderStore store : exclusive) {
            store.discard();
        }
    }

    /** Whether there is something for this handler. */
    boolean hasWork(int handler) {
        return !responses.isEmpty() || !exclusive[handler].isEmpty() || !shared.isEmpty();
    }
}
