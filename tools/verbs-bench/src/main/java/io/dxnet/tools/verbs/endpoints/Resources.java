package io.dxnet.tools.verbs.endpoints;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many objects some endpoints are made of.
 *
 * @param contexts open devices
 * @param protectionDomains parent domains not counted
 * @param threadDomains spacers included
 * @param completionQueues completion queues
 * @param queuePairs queue pairs, used or not
 * @param memoryRegions memory regions
 * @param registeredBytes of the memory regions
 */
record Resources(
        int contexts,
        int protectionDomains,
        int threadDomains,
        int completionQueues,
        int queuePairs,
        int memoryRegions,
        long registeredBytes) {
    static final Resources NONE = new Resources(0, 0, 0, 0, 0, 0, 0);

    /** What mlx5 uses for a context, from the start (paper, section II-A). */
    private static final int STATIC_UARS = 8;

    private static final int UUARS_PER_UAR = 2;

    /** The memory of mlx5's objects, bytes (paper, table I). */
    private static final long CONTEXT_BYTES = 256 << 10;

    private static final long QUEUE_PAIR_BYTES = 80 << 10;
    private static final long COMPLETION_QUEUE_BYTES = 9 << 10;
    private static final long SMALL_BYTES = 144;

    Resources plus(Resources other) {
        return new Resources(
                contexts + other.contexts,
                protectionDomains + other.protectionDomains,
                threadDomains + other.threadDomains,
                completionQueues + other.completionQueues,
                queuePairs + other.queuePairs,
                memoryRegions + other.memoryRegions,
                registeredBytes + other.registeredBytes);
    }

    /** Pages of registers that mlx5 would use: two thread domains share one. */
    int mlx5Uars() {
        return contexts * STATIC_UARS + (threadDomains + 1) / UUARS_PER_UAR;
    }

    /** Halves of those pages, each of which one thread can use alone. */
    int mlx5Uuars() {
        return UUARS_PER_UAR * mlx5Uars();
    }

    /** Memory that mlx5 would use, payload not counted. */
    long mlx5Bytes() {
        return contexts * CONTEXT_BYTES
                + queuePairs * QUEUE_PAIR_BYTES
                + completionQueues * COMPLETION_QUEUE_BYTES
                + (protectionDomains + memoryRegions) * SMALL_BYTES;
    }

    /** As an object for JSON. */
    Map<String, Object> toMap() {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("contexts", contexts);
        o.put("protectionDomains", protectionDomains);
        o.put("threadDomains", threadDomains);
        o.put("completionQueues", completionQueues);
        o.put("queuePairs", queuePairs);
        o.put("memoryRegions", memoryRegions);
        o.put("registeredBytes", registeredBytes);
        o.put("mlx5Uars", mlx5Uars());
        o.put("mlx5Uuars", mlx5Uuars());
        o.put("mlx5Bytes", mlx5Bytes());
        return o;
    }
}
