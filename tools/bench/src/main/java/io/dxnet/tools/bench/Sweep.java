package io.dxnet.tools.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that one command measures: each setup with
 * each pattern, number of threads, size and API.
 *
 * @param setups what nodes are started with, one after the other
 * @param patterns senders and destinations
 * @param threads sending threads of each sending node, ascending
 * @param sizes payloads, bytes, ascending
 * @param apis how messages are made and received
 * @param batches operations of a chain, ascending, for the patterns that access memory
 * @param plan how each point is measured
 */
record Sweep(
        List<Setup> setups,
        List<Pattern> patterns,
        List<Integer> threads,
        List<Integer> sizes,
        List<Api> apis,
        List<Integer> batches,
        Plan plan) {
    private static final List<Integer> COUNTER_BYTES = List.of(Long.BYTES);
    private static final List<Integer> NO_CHAINS = List.of(1);

    /** Makes a sweep that uses message classes alone. */
    Sweep(List<Setup> setups, List<Pattern> patterns, List<Integer> threads, List<Integer> sizes, Plan plan) {
        this(setups, patterns, threads, sizes, List.of(Api.MESSAGES), NO_CHAINS, plan);
    }

    /** The points of a setup, in the order in which they are measured. */
    List<Point> points(Setup setup) {
        List<Point> points = new ArrayList<>();
        for (Pattern pattern : patterns) {
            for (int count : threads) {
                for (int size : sizes(pattern)) {
                    for (Api api : apis(pattern)) {
                        for (int batch : pattern.accessesMemory() ? batches : NO_CHAINS) {
                            points.add(new Point(setup, pattern, count, size, api, batch));
                        }
                    }
                }
            }
        }
        return points;
    }

    /** Requests and responses are new objects at their receivers, also with reusable messages. */
    private List<Api> apis(Pattern pattern) {
        return pattern.sendsRequests()
                ? apis.stream()
                        .map(api -> api == Api.REUSABLE ? Api.MESSAGES : api)
                        .distinct()
                        .toList()
                : apis;
    }

    /** An atomic has eight bytes. */
    private List<Integer> sizes(Pattern pattern) {
        return pattern == Pattern.ATOMIC ? COUNTER_BYTES : sizes;
    }

    /** The number of all points. */
    int points() {
        return setups.size() * points(setups.getFirst()).size();
    }

    /** Warm-ups and runs of all points. */
    int rounds() {
        return points() * plan.rounds();
    }

    /** Whether there is more than one of something but the size. */
    boolean severalCurves() {
        return setups.size() * patterns.size() * threads.size() * apis.size() * batches.size() > 1;
    }
}
