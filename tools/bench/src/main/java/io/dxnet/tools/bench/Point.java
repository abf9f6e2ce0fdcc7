package io.dxnet.tools.bench;

/**
 * One point of a sweep: the parameters of one measurement.
 *
 * @param setup what the nodes were started with
 * @param pattern senders and destinations
 * @param threads sending threads of each sending node
 * @param size payload, bytes
 * @param api how messages are made and received
 * @param batch operations of a chain; 1: no chains
 */
record Point(Setup setup, Pattern pattern, int threads, int size, Api api, int batch) {
    /** Makes a point that uses message classes. */
    Point(Setup setup, Pattern pattern, int threads, int size) {
        this(setup, pattern, threads, size, Api.MESSAGES, 1);
    }

    /** How many nodes send. */
    int senders() {
        int senders = 0;
        for (int node = 0; node < setup.nodes(); node++) {
            senders += pattern.destinations(node, setup.nodes()).length > 0 ? 1 : 0;
        }
        return senders;
    }
}
