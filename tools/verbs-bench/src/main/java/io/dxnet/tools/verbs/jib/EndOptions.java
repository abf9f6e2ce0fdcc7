package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.verbs.Port;

/**
 * What one end uses.
 *
 * @param port of its device
 * @param pollingThreads threads that poll at the same time on this machine
 */
record EndOptions(Port port, int pollingThreads) {}
