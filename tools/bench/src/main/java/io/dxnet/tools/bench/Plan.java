package io.dxnet.tools.bench;

/**
 * How a point is measured.
 *
 * @param messages of each sending node in a run; 0: as many as fit in {@code seconds}
 * @param seconds the longest time of a run; 0: until all messages are sent
 * @param warmupSeconds of unmeasured sending before the runs of a point; 0: none
 * @param firstWarmupSeconds the same for the first point of new nodes:
 *     the compiler has everything to do
 * @param runs measured runs of each point
 * @param verify whether payloads are generated and checked
 * @param bytesMax payload bytes that a node sends in a run at most, where {@code messages} is given
 * @param chains of a thread and a destination that are under way at once, with remote memory
 * @param pauseMicros a requester sleeps this long before each request, microseconds
 * @param stallSeconds a run in which nothing moves for this long has failed
 */
record Plan(
        long messages,
        double seconds,
        double warmupSeconds,
        double firstWarmupSeconds,
        int runs,
        boolean verify,
        long bytesMax,
        int chains,
        int pauseMicros,
        int stallSeconds) {

    /** The rounds of a point, warm-up included. */
    int rounds() {
        return runs + (warmupSeconds > 0 ? 1 : 0);
    }

    /**
     * The messages of each sending node for a size:
     * {@link #messages}, limited by {@link #bytesMax}.
     */
    long messages(int size) {
        return messages == 0 ? 0 : Math.max(1, Math.min(messages, bytesMax / size));
    }

    RoundSpec measured(int number, Point point, int[] ids) {
        return spec(number, point, messages(point.size()), seconds, ids);
    }

    RoundSpec warmup(int number, Point point, boolean first, int[] ids) {
        return spec(number, point, 0, first ? firstWarmupSeconds : warmupSeconds, ids);
    }

    private RoundSpec spec(int number, Point point, long count, double duration, int[] ids) {
        long durationNs = (long) (duration * 1e9);
        long pauseNs = pauseMicros * 1_000L;
        long stallNs = stallSeconds * 1_000_000_000L + pauseNs; // nothing moves in a pause
        return new RoundSpec(
                number,
                point.pattern(),
                point.size(),
                point.threads(),
                count,
                durationNs,
                verify,
                point.api(),
                point.batch(),
                chains,
                pauseNs,
                point.pattern() == Pattern.SWITCH || warmupSeconds == 0,
                stallNs,
                ids);
    }
}
