package io.dxnet.tools.verbs.endpoints;

/**
 * What each thread gets.
 *
 * @param queuePairs it uses, all on one completion queue
 * @param depth requests of a send queue for each thread that uses it
 * @param receives of each queue pair for each thread that uses it
 * @param inline bytes of a request
 */
record Shape(int queuePairs, int depth, int receives, int inline) {}
