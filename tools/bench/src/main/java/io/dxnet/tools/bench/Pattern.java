package io.dxnet.tools.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sending nodes and their destinations (DXNet §XIII).
 * Nodes are counted from 0 in the order of their ids.
 */
enum Pattern {
    /** Node 0 to node 1. */
    UNI,
    /** Node 0 to node 1 and node 1 to node 0. */
    BI,
    /** Requests from node 0 to all others and their responses. */
    RTT,
    /** Requests from each node to each other node and their responses. */
    RTT_ALL_TO_ALL,
    /** Each node to each other node. */
    ALL_TO_ALL,
    /** Each node to the next one, the last to the first. */
    RING,
    /**
     * {@link #ALL_TO_ALL} in the first half of a round, then
     * {@link #RING}, while it runs (Ibdxnet §9.2.4).
     */
    SWITCH,
    /** Reads by node 0 of memory of all others. */
    READ,
    /** Writes by node 0 to memory of all others. */
    WRITE,
    /** Additions by node 0 to a counter of each other, which it gets back. */
    ATOMIC,
    /** Writes by node 0 to memory of all others, each with a notification. */
    NOTIFY;

    private static final int[] NONE = {};

    /** Whether its senders send requests and wait for the responses. */
    boolean sendsRequests() {
        return this == RTT || this == RTT_ALL_TO_ALL;
    }

    /** Whether senders wait for the end of what they send, and record the time. */
    boolean roundTrips() {
        return sendsRequests() || accessesMemory();
    }

    /** Whether senders access memory of other nodes, and send no messages. */
    boolean accessesMemory() {
        return this == READ || this == WRITE || this == ATOMIC || this == NOTIFY;
    }

    /** Whether the receivers count what arrives; else the owner of the memory notices nothing. */
    boolean isReceived() {
        return !accessesMemory() || this == NOTIFY;
    }

    /** Whether the result is what the senders count, not the receivers. */
    boolean isCountedBySenders() {
        return roundTrips() && this != NOTIFY;
    }

    /** Whether it is known how often each operation was carried out. */
    boolean isCounted() {
        return isReceived() || this == ATOMIC;
    }

    /**
     * The nodes to which {@code node} sends; after the switch,
     * where there is one, only to the first of them.
     */
    int[] destinations(int node, int nodes) {
        return switch (this) {
            case UNI -> node == 0 ? new int[] {1} : NONE;
            case BI -> node < 2 ? new int[] {1 - node} : NONE;
            case RTT, READ, WRITE, ATOMIC, NOTIFY -> node == 0 ? others(0, nodes) : NONE;
            case ALL_TO_ALL, RTT_ALL_TO_ALL, SWITCH -> others(node, nodes);
            case RING -> new int[] {(node + 1) % nodes};
        };
    }

    /** The nodes from which {@code node} receives. */
    int[] sources(int node, int nodes) {
        return IntStream.range(0, nodes)
                .filter(source -> contains(destinations(source, nodes), node))
                .toArray();
    }

    /** As it is typed: {@code all-to-all}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The inverse of {@link #label}. */
    static Pattern parse(String label) {
        for (Pattern pattern : values()) {
            if (pattern.label().equals(label)) {
                return pattern;
            }
        }
        throw new IllegalArgumentException("pattern '" + label + "': allowed are " + labels());
    }

    /** All labels, separated by commas. */
    static String labels() {
        return Arrays.stream(values()).map(Pattern::label).collect(Collectors.joining(", "));
    }

    /** Others start behind the node itself, so that not all nodes send to the same one first. */
    private static int[] others(int node, int nodes) {
        int[] others = new int[nodes - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = (node + 1 + i) % nodes;
        }
        return others;
    }

    private static boolean contains(int[] array, int value) {
        for (int item : array) {
            if (item == value) {
                return true;
            }
        }
        return false;
    }
}
