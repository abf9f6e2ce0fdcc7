package io.dxnet.softhca;

/** The names of numbers, in libibverbs' words. They live until the JVM ends. */
final class NameVerbs {
    private static final long[] STATUSES = strings(
            "success",
            "local length error",
            "local QP operation error",
            "local EE context operation error",
            "local protection error",
            "Work Request Flushed Error",
            "memory management operation error",
            "bad response error",
            "local access error",
            "remote invalid request error",
            "remote access error",
            "remote operation error",
            "transport retry counter exceeded",
            "RNR retry counter exceeded",
            "local RDD violation error",
            "remote invalid RD request",
            "aborted error",
            "invalid EE context number",
            "invalid EE context state",
            "fatal error",
            "response timeout error",
            "general error",
            "TM error",
            "TM software rendezvous");

    private static final long[] EVENTS = strings(
            "CQ error",
            "local work queue catastrophic error",
            "invalid request local work queue error",
            "local access violation work queue error",
            "communication established",
            "send queue drained",
            "path migrated",
            "path migration request error",
            "local catastrophic error",
            "port active",
            "port error",
            "LID change",
            "P_Key change",
            "SM change",
            "SRQ catastrophic error",
            "SRQ limit reached",
            "last WQE reached",
            "client reregistration",
            "GID table change",
            "WQ fatal");

    private static final long[] PORT_STATES =
            strings("no state change (NOP)", "down", "init", "armed", "active", "active defer");

    /** From 1. */
    private static final long[] NODE_TYPES = strings(
            "InfiniBand channel adapter",
            "InfiniBand switch",
            "InfiniBand router",
            "iWARP NIC",
            "usNIC",
            "usNIC UDP",
            "unspecified");

    private static final long[] UNKNOWN = strings("unknown", "unknown", "unknown", "unknown");

    private NameVerbs() {}

    private static long[] strings(String... texts) {
        long[] addresses = new long[texts.length];
        for (int i = 0; i < texts.length; i++) {
            addresses[i] = LibC.calloc(texts[i].length() + 1L);
            Memory.putString(addresses[i], texts[i], texts[i].length() + 1);
        }
        return addresses;
    }

    private static long pick(long[] names, int number, long unknown) {
        return number >= 0 && number < names.length ? names[number] : unknown;
    }

    static long ibv_wc_status_str(int status) {
        return pick(STATUSES, status, UNKNOWN[0]);
    }

    static long ibv_event_type_str(int event) {
        return pick(EVENTS, event, UNKNOWN[1]);
    }

    static long ibv_port_state_str(int state) {
        return pick(PORT_STATES, state, UNKNOWN[2]);
    }

    static long ibv_node_type_str(int type) {
        return pick(NODE_TYPES, type - 1, UNKNOWN[3]);
    }
}
