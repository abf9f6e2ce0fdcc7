package io.dxnet.runtime.report;

import io.dxnet.DXNetException;
import io.dxnet.Rejection;
import io.dxnet.runtime.thread.EngineThread;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Rejections on their way to the listeners, added up by node and type. However many arrive
 * while a listener lasts, they need the memory of one. The first one of each node and
 * type is also reported to the error handler. Any thread adds.
 */
public final class Rejections {
    private static final int REASON_CHARS_MAX = 200;

    private final Consumer<Rejection> listeners;
    private final Consumer<Runnable> events;
    private final EngineThread.Errors errors;
    private final Map<Integer, Rejection> waiting = new ConcurrentHashMap<>();
    private final ReportedTypes reported = new ReportedTypes();
    private final LongAdder total = new LongAdder();

    /**
     * None so far.
     *
     * @param listeners called on the control thread
     * @param events run on the control thread, in order
     */
    public Rejections(Consumer<Rejection> listeners, Consumer<Runnable> events, EngineThread.Errors errors) {
        this.listeners = listeners;
        this.events = events;
        this.errors = errors;
    }

    /** {@return the messages of this node that others have rejected} */
    public long total() {
        return total.sum();
    }

    public void add(int nodeId, int typeId, long count, String reason) {
        total.add(count);
        String shortened =
                reason.length() <= REASON_CHARS_MAX ? reason : reason.substring(0, REASON_CHARS_MAX) + " ...";
        Integer key = nodeId << 16 | typeId;
        Rejection added = new Rejection(nodeId, typeId, count, shortened);
        Rejection sum = waiting.merge(
                key, added, (before, next) -> new Rejection(nodeId, typeId, before.count() + count, shortened));
        if (sum == added) {
            events.accept(() -> deliver(key));
        }
    }

    private void deliver(Integer key) {
        Rejection rejection = waiting.remove(key);
        if (reported.isFirst(rejection.nodeId(), rejection.typeId())) {
            errors.error(
                    "node " + rejection.nodeId() + " rejects messages of type " + rejection.typeId() % 256 + " subtype "
                            + rejection.typeId() / 256
                            + "; this is reported once, ConnectionListener.rejected gets each report",
                    new DXNetException(rejection.reason()));
        }
        listeners.accept(rejection);
    }
}
