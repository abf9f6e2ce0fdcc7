package io.dxnet.runtime.send;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.spi.ValueMessage;
import io.dxnet.transport.ring.Window;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What the engine keeps for each thread that sends: counters, an exporter, the state
 * of a handler's batch. It refers to nothing of the engine between two sends, so that a
 * thread that lives on keeps no closed engine in memory.
 */
public final class SenderThread {
    /** How the messages of this thread are signalled to the transport. */
    public enum Signals {
        /** Each message when it is sent. */
        AT_ONCE,
        /** Messages wait for the end of the handler's batch: more callbacks of it follow. */
        AT_END_OF_BATCH,
        /** The batch's last callback runs: its first message is signalled when it is sent. */
        LAST_CALLBACK
    }

    /** The thread's id, which no other thread of this process ever has. */
    final long id = Thread.currentThread().threadId();

    /**
     * The thread, when it is one of an engine: it must not wait for a peer,
     * and continues its own work while it waits.
     */
    final @Nullable EngineThread engineThread = EngineThread.current();

    /** The connection into which this thread is streaming a message; null for none. */
    @Nullable
    PeerConnection streaming;

    /**
     * Set while this thread sends a response: that must not wait for the window, which the other
     * node opens when its own responses are sent. The requests that it has outstanding bound them.
     */
    boolean responding;

    /**
     * A connection with messages that this thread has not signalled yet: see {@link Sender#flush}.
     */
    @Nullable
    PeerConnection unsignalled;

    /**
     * Other than {@link Signals#AT_ONCE} only while a handler of this engine
     * handles a batch on this thread.
     */
    Signals signals = Signals.AT_ONCE;

    /** The {@link Epochs epoch} of the messages that this thread handles. */
    public int epoch;

    private final @Nullable WeakReference<Thread> thread; // null for a virtual thread
    private final SenderThreads.Shared shared;
    private final SenderThreads.@Nullable Sent sent; // null for a virtual thread
    private final @Nullable RingExporter exporter; // null for a virtual thread
    private final SendWait wait = new SendWait();
    private @Nullable ValueMessage<?> carrier; // null until this thread sends a value
    private boolean carrying;
    private boolean exporting;
    private boolean waiting;

    SenderThread(SenderThreads.Shared shared, SenderThreads.@Nullable Sent sent) {
        this.shared = shared;
        this.sent = sent;
        this.thread = sent == null ? null : new WeakReference<>(Thread.currentThread());
        this.exporter = sent == null ? null : new RingExporter();
    }

    boolean isVirtual() {
        return sent == null;
    }

    /** Whether the thread, a platform thread, has ended: it sends no more. Any thread. */
    boolean hasEnded() {
        Thread own = thread == null ? null : thread.get();
        return own == null || !own.isAlive();
    }

    /** Whether the flow control's window bounds what it sends. */
    Window window() {
        return engineThread != null || responding ? Window.IGNORED : Window.OBSERVED;
    }

    /** Counts a message. */
    void sent(int bytes) {
        SenderThreads.Sent own = sent;
        if (own == null) {
            shared.messages.increment();
            shared.bytes.add(bytes);
        } else {
            own.messages.add(1);
            own.bytes.add(bytes);
        }
    }

    /**
     * An exporter for this thread alone: its own, or another one where a message is
     * sent from inside {@code exportObject}.
     */
    RingExporter borrowExporter() {
        if (exporter == null) {
            return shared.takeExporter();
        }
        if (exporting) {
            return new RingExporter();
        }
        exporting = true;
        return exporter;
    }

    void returnExporter(RingExporter borrowed) {
        if (borrowed == exporter) {
            exporting = false;
        } else if (exporter == null) {
            shared.returnExporter(borrowed);
        }
    }

    /**
     * A message for a value: the thread's own, or another one where a message is
     * sent from inside a codec.
     */
    @SuppressWarnings("unchecked")
    <T> ValueMessage<T> borrowCarrier() {
        if (carrying) {
            return new ValueMessage<>();
        }
        carrying = true;
        if (carrier == null) {
            carrier = new ValueMessage<>();
        }
        return (ValueMessage<T>) carrier; // it gets another type and value for each use
    }

    void returnCarrier(ValueMessage<?> borrowed) {
        borrowed.clear();
        if (borrowed == carrier) {
            carrying = false;
        }
    }

    /** The thread's record of a wait; another one where a callback waits inside a wait. */
    SendWait borrowWait() {
        if (waiting) {
            return new SendWait();
        }
        waiting = true;
        return wait;
    }

    void returnWait(SendWait borrowed) {
        if (borrowed == wait) {
            waiting = false;
        }
    }

    /**
     * A handler begins a batch.
     *
     * @return the state before, for {@link #endBatch}: a callback that waits
     *     may handle another batch inside
     */
    public Signals beginBatch() {
        Signals outer = signals;
        signals = Signals.AT_END_OF_BATCH;
        return outer;
    }

    /** No callback of the batch follows the one that is called next. */
    public void lastCallback() {
        signals = Signals.LAST_CALLBACK;
    }

    /** The batch is over. */
    public void endBatch(Signals outer) {
        signals = outer;
    }
}
