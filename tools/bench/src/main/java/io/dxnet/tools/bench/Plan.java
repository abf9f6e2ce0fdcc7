package io.dxnet.tools.bench;

import java.util.List;

/**
 * What is to be measured.
 *
 * @param pattern who sends to whom
 * @param sizes payloads, bytes
 * @param threads sending threads of each sending node
 * @param messages of each sending node in a run; 0: as many as fit in {@code seconds}
 * @param seconds the longest time of a run; 0: until all messages are sent
 * @param warmupSeconds of unmeasured sending before the runs of a size
 * @param runs measured runs of each size
 * @param verify whether payloads are generated and checked
 * @param reused whether a receiver fills one message object per handler thread
 * @param bytesMax payload bytes that a node sends in a run at most, where {@code messages} is given
 * @param stallSeconds a run in which nothing moves for this long has failed
 */
record Plan(
        Pattern pattern,
        List<Integer> sizes,
        int threads,
        long messages,
        double seconds,
        double warmupSeconds,
        int runs,
        boolean verify,
        boolean reused,
        long bytesMax,
        int stallSeconds) {

    /** The rounds of a size, warm-up included. */
    int rounds() {
        return runs + (warmupSeconds > 0 ? 1 : 0);
    }

    /** The messages of each sending node for a size: {@link #messages}, limited by {@link #bytesMax}. */
    long messages(int size) {
        return messages == 0 ? 0 : Math.max(1, Math.min(messages, bytesMax / size));
    }

    RoundSpec measured(int number, int size, int[] ids) {
        return spec(number, size, messages(size), seconds, ids);
    }

    /** The first size is warmed up for longer: the compiler has everything to do. */
    RoundSpec warmup(int number, int size, int[] ids) {
        boolean first = size == sizes.getFirst();
        return spec(number, size, 0, first ? 2 * warmupSeconds : warmupSeconds, ids);
    }

    private RoundSpec spec(int number, int size, long count, double duration, int[] ids) {
        long durationNs = (long) (duration * 1e9);
        long stallNs = stallSeconds * 1_000_000_000L;
        return new RoundSpec(number, pattern, size, threads, count, durationNs, verify, reused, stallNs, ids);
    }
}
