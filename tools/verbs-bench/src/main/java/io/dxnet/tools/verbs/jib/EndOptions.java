package io.dxnet.tools.verbs.jib;

/**
 * What one end uses.
 *
 * @param device the verbs device
 * @param port of the device, from 1
 * @param gidIndex an entry of the GID table, or -1 for the best
 * @param pollingThreads threads that poll at the same time on this machine
 */
record EndOptions(String device, int port, int gidIndex, int pollingThreads) {}
