package io.dxnet.runtime.memory;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Attachments that this node has ended while it could not inform their owners, which keep them: the
 * next request to attach to the same owner comes with the notices. An owner that runs as another
 * incarnation meanwhile does not know the numbers, which are random, and ignores them. Any thread.
 */
final class UnsentNotices {
    /** Of one owner. The oldest is dropped: that attachment stays with this incarnation. */
    static final int KEPT_MAX = 4096;

    private final Map<Integer, Set<Long>> byOwner = new HashMap<>(); // under the monitor

    /** An attachment has ended, and its owner was not informed. */
    synchronized void add(int owner, long attachment) {
        Set<Long> kept = byOwner.computeIfAbsent(owner, node -> new LinkedHashSet<>());
        kept.add(attachment);
        if (kept.size() > KEPT_MAX) {
            kept.remove(kept.iterator().next());
        }
    }

    /** {@return those of an owner, the oldest first} */
    synchronized long[] of(int owner) {
        return byOwner.getOrDefault(owner, Set.of()).stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    /** The owner was informed of these. */
    synchronized void remove(int owner, long[] informedOf) {
        Set<Long> kept = byOwner.get(owner);
        if (kept == null) {
            return;
        }
        for (long each : informedOf) {
            kept.remove(each);
        }
        if (kept.isEmpty()) {
            byOwner.remove(owner);
        }
    }
}
