package io.dxnet.tools.bench;

import java.util.Arrays;

/**
 * One round: a warm-up or a measured run of one size, the same for all nodes.
 *
 * @param number counts rounds, from 1
 * @param pattern senders and destinations
 * @param size payload, bytes
 * @param threads sending threads of each sending node
 * @param messages that each sending node sends; 0: until the time is over
 * @param durationNs senders stop after this time, nanoseconds; 0: when all messages are sent
 * @param verify generated payloads, checked byte by byte
 * @param api how messages are made and received
 * @param batch operations of a chain; 1: no chains
 * @param chains of a thread and a destination that are under way at once
 * @param pauseNs a requester sleeps this long before each request, nanoseconds
 * @param sampled the receivers note how many messages they have processed at which time
 * @param stallNs a node ends the round after this time without progress, nanoseconds
 * @param ids node ids, ascending
 */
record RoundSpec(
        int number,
        Pattern pattern,
        int size,
        int threads,
        long messages,
        long durationNs,
        boolean verify,
        Api api,
        int batch,
        int chains,
        long pauseNs,
        boolean sampled,
        long stallNs,
        int[] ids) {
    private static final int FIELDS = 13;

    /** The index of a node, or -1. */
    int index(int nodeId) {
        int index = Arrays.binarySearch(ids, nodeId);
        return index < 0 ? -1 : index;
    }

    /** How many messages a sending thread sends at most. */
    long share(int thread) {
        if (messages == 0) {
            return Long.MAX_VALUE;
        }
        return messages / threads + (thread < messages % threads ? 1 : 0);
    }

    /** The bytes of a message that carry its sequence number; those of a notification its value. */
    int checkedBytes() {
        return pattern == Pattern.NOTIFY ? Integer.BYTES : size;
    }

    /** The operations of a thread and a destination that are under way at once. */
    int slots() {
        return batch * chains;
    }

    long[] encode() {
        long[] values = Arrays.copyOf(
                new long[] {
                    number,
                    pattern.ordinal(),
                    size,
                    threads,
                    messages,
                    durationNs,
                    verify ? 1 : 0,
                    api.ordinal(),
                    batch,
                    chains,
                    pauseNs,
                    sampled ? 1 : 0,
                    stallNs
                },
                FIELDS + ids.length);
        for (int i = 0; i < ids.length; i++) {
            values[FIELDS + i] = ids[i];
        }
        return values;
    }

    static RoundSpec decode(long[] values) {
        int[] ids = new int[values.length - FIELDS];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (int) values[FIELDS + i];
        }
        return new RoundSpec(
                (int) values[0],
                Pattern.values()[(int) values[1]],
                (int) values[2],
                (int) values[3],
                values[4],
                values[5],
                values[6] != 0,
                Api.values()[(int) values[7]],
                (int) values[8],
                (int) values[9],
                values[10],
                values[11] != 0,
                values[12],
                ids);
    }
}
