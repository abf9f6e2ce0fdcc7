package io.dxnet.tools.bench;

/**
 * One point of a sweep: what is sent by whom in one measurement.
 *
 * @param setup what the nodes were started with
 * @param pattern who sends to whom
 * @param threads sending threads of each sending node
 * @param size payload, bytes
 */
record Point(Setup setup, Pattern pattern, int threads, int size) {
    /** How many nodes send. */
    int senders() {
        int senders = 0;
        for (int node = 0; node < setup.nodes(); node++) {
            senders += pattern.destinations(node, setup.nodes()).length > 0 ? 1 : 0;
        }
        return senders;
    }
}
