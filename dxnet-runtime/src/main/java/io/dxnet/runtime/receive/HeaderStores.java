package io.dxnet.runtime.receive;

import io.dxnet.transport.idle.ThreadSignal;
import java.util.function.BooleanSupplier;

/**
 * The header stores between the message creation coordinator and the handlers. One is shared by
 * all handlers. Each handler has one for exclusive messages (all of a connection's are put into
 * the same one, DXNet §VI-A). One is for responses, which also the handlers that wait for something
 * empty: so a handler that waits for a response can't keep itself from getting it.
 *
 * <p>What is received before the response, and no store has room for, is kept by the
 * coordinator meanwhile: {@link StoreOverflow}.
 */
public final class HeaderStores {
    final MessageHeaderStore responses;
    final MessageHeaderStore shared;
    private final MessageHeaderStore[] exclusive;
    // Of handlers with a thread of their own; null where the coordinator's thread is theirs.
    private final ThreadSignal[] threadSignals;
    private final BooleanSupplier[] waits; // of each handler; set before the agents run
    private int next; // the coordinator: the handler to wake next

    public HeaderStores(int capacity, int handlers) {
        this.responses = new MessageHeaderStore(capacity);
        this.shared = new MessageHeaderStore(capacity);
        this.exclusive = new MessageHeaderStore[handlers];
        this.threadSignals = new ThreadSignal[handlers];
        this.waits = new BooleanSupplier[handlers];
        for (int i = 0; i < handlers; i++) {
            // With one handler all is ordered anyway.
            exclusive[i] = handlers == 1 ? shared : new MessageHeaderStore(capacity);
        }
    }

    public MessageHeaderStore responses() {
        return responses;
    }

    public MessageHeaderStore shared() {
        return shared;
    }

    int handlers() {
        return exclusive.length;
    }

    public void threadSignal(int handler, ThreadSignal signal) {
        threadSignals[handler] = signal;
    }

    /**
     * Sets a handler's state, before the agents run.
     *
     * @param isWaiting whether it waits inside a callback; any thread
     */
    public void handler(int handler, BooleanSupplier isWaiting) {
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

    public MessageHeaderStore exclusive(int handler) {
        return exclusive[handler];
    }

    /** {@return the handler that gets a connection's exclusive messages} */
    int handlerOf(int nodeId) {
        return nodeId % exclusive.length;
    }

    /**
     * Wakes a handler for an entry of a store that every handler empties: one that sleeps,
     * if there is one, and has no exclusive messages, which it would handle first. A full
     * fence has to separate it from the entry.
     */
    void wakeAny() {
        int handlers = threadSignals.length;
        ThreadSignal last = null;
        for (int i = 0; i < handlers; i++) {
            next = next + 1 < handlers ? next + 1 : 0;
            ThreadSignal threadSignal = threadSignals[next];
            if (threadSignal != null && threadSignal.isParked()) {
                last = threadSignal;
                if (handlers == 1 || exclusive[next].isEmpty()) {
                    break;
                }
            }
        }
        if (last != null) {
            last.raise();
        }
    }

    /** Wakes one handler. A full fence has to separate it from the entry. */
    void wake(int handler) {
        ThreadSignal threadSignal = threadSignals[handler];
        if (threadSignal != null) {
            threadSignal.raise();
        }
    }

    /**
     * Returns the buffers of all that no handler gets any more. After the threads
     * of the stages have ended.
     */
    public void discard() {
        responses.discard();
        shared.discard();
        for (MessageHeaderStore store : exclusive) {
            store.discard();
        }
    }

    /** {@return whether there is something for this handler} */
    public boolean hasWork(int handler) {
        return !responses.isEmpty() || !exclusive[handler].isEmpty() || !shared.isEmpty();
    }
}
