/**
 * DXNet over InfiniBand and RoCE (Ibdxnet): the msgrc engine driven by Java threads. Reliable
 * queue pairs, one shared receive queue, shared completion queues, chained work requests
 * straight from the registered rings, and a TCP control channel that exchanges the queue pairs'
 * data and shows when a node ends.
 */
package io.dxnet.transport.ib;
