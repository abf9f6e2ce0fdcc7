package io.dxnet.runtime.report;

import io.dxnet.DXNetException;
import io.dxnet.Rejection;
import io.dxnet.runtime.thread.EngineThread;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rejections on their way to the listeners, added up by node and type. However many arrive
 * while a listener lasts, they need the memory of one for each type, and of a node at most
 * {@value #TYPES_MAX} types wait. Of further types no listener gets a report: they are
 * counted, and the error handler gets one. The first rejection of each node and type is also
 * reported to the error handler. Any thread adds.
 */
public final class Rejections {
    private static final int REASON_CHARS_MAX = 200;
    /** A node may claim that it rejects each type. */
    static final int TYPES_MAX = 1024;

    private final Function<Rejection, Runnable> calls;
    private final Consumer<Runnable> events;
    private final EngineThread.Errors errors;
    private final Map<Integer, Map<Integer, Sum>> waiting = new ConcurrentHashMap<>(); // node, type
    private final ReportedTypes reported = new ReportedTypes();
    private final Set<Integer> flooding = ConcurrentHashMap.newKeySet(); // nodes
    private final LongAdder total = new LongAdder();

    /**
     * None so far.
     *
     * @param calls makes what calls the listeners; it is run on the control thread, again where it
     *     throws
     * @param events run on the control thread, in order, each again until it does not throw
     */
    public Rejections(Function<Rejection, Runnable> calls, Consumer<Runnable> events, EngineThread.Errors errors) {
        this.calls = calls;
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
        Map<Integer, Sum> ofNode = waiting.computeIfAbsent(nodeId, node -> new ConcurrentHashMap<>());
        if (ofNode.size() >= TYPES_MAX && !ofNode.containsKey(typeId)) {
            tooMany(nodeId);
            return;
        }
        ofNode.computeIfAbsent(typeId, type -> new Sum(ofNode, nodeId, type)).add(count, shortened);
    }

    /** The rejections of one node and type that wait. */
    private final class Sum implements Runnable {
        private final Map<Integer, Sum> ofNode;
        private final int nodeId;
        private final int typeId;
        private long count; // under the monitor
        private String reason = ""; // the same
        private boolean isQueued; // the same
        private @Nullable Rejection ended; // the control thread: its listeners are not called yet
        private @Nullable Runnable call; // the control thread: of the listeners

        Sum(Map<Integer, Sum> ofNode, int nodeId, int typeId) {
            this.ofNode = ofNode;
            this.nodeId = nodeId;
            this.typeId = typeId;
        }

        /** Adds some. Where there is no memory for the event, the next one adds it. */
        synchronized void add(long added, String because) {
            count += added;
            reason = because;
            if (!isQueued) {
                events.accept(this);
                isQueued = true;
            }
        }

        private synchronized Rejection end() {
            Rejection rejection = new Rejection(nodeId, typeId, count, reason);
            isQueued = false;
            count = 0;
            return rejection;
        }

        /** Where a part throws, for want of memory, the next call continues with it. */
        @Override
        public void run() {
            Rejection rejection = ended;
            if (rejection == null) {
                ofNode.remove(typeId, this); // what is added from here on has an event of its own
                rejection = end();
                ended = rejection;
            }
            Runnable ofListeners = call;
            if (ofListeners == null) {
                ofListeners = calls.apply(rejection);
                call = ofListeners;
                reportFirst(rejection);
            }
            ofListeners.run();
            call = null;
            ended = null;
        }
    }

    /** A few more may wait where several handlers add at the same time. */
    private void tooMany(int nodeId) {
        if (flooding.add(nodeId)) {
            errors.error(
                    "node " + nodeId + " rejects more than " + TYPES_MAX
                            + " types at a time: listeners get no report of further ones; this is reported once",
                    new DXNetException("reports of rejections wait for the connection listeners"));
        }
    }

    private void reportFirst(Rejection rejection) {
        if (reported.isFirst(rejection.nodeId(), rejection.typeId())) {
            errors.error(
                    "node " + rejection.nodeId() + " rejects messages of type " + rejection.typeId() % 256 + " subtype "
                            + rejection.typeId() / 256
                            + "; this is reported once, ConnectionListener.rejected gets each report",
                    new DXNetException(rejection.reason()));
        }
    }
}
