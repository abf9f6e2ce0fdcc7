package io.dxnet.runtime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which types of which nodes were reported to have no receiver here, so that each is reported once. Any thread. */
final class UnhandledTypes {
    /** More are not reported to this node's error handler: a peer may send each type. Their senders are informed all the same. */
    static final int REPORTED_MAX = 1024;

    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();

    boolean isFirst(int nodeId, int typeId) {
        return reported.size() < REPORTED_MAX && reported.add(nodeId << 16 | typeId);
    }
}
