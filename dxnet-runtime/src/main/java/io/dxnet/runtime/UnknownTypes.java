package io.dxnet.runtime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The unknown message types that nodes have sent: each is reported once. Bounded; any thread. */
final class UnknownTypes {
    /** A node that sends all 65,536 numbers costs no more than this. */
    private static final int REPORTED_MAX = 4096;

    private final Set<Long> reported = ConcurrentHashMap.newKeySet();

    /** Whether this type of this node is to be reported; true once. */
    boolean isNew(int nodeId, int key) {
        return reported.size() < REPORTED_MAX && reported.add((long) nodeId << 16 | key);
    }
}
