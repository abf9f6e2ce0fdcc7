package io.dxnet.runtime.report;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which types of which nodes were reported to the error handler, so that each
 * is reported once. Any thread.
 */
public final class ReportedTypes {
    /** More of one node are not reported: it may send each type. */
    static final int OF_NODE_MAX = 64;

    private final Map<Integer, Set<Integer>> reported = new ConcurrentHashMap<>();

    public boolean isFirst(int nodeId, int typeId) {
        Set<Integer> types = reported.computeIfAbsent(nodeId, node -> ConcurrentHashMap.newKeySet());
        return types.size() < OF_NODE_MAX && types.add(typeId);
    }
}
