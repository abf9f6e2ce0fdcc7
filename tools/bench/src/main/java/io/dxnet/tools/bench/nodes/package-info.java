/** Nodes of benchmarks: their options, their transports and their processes. */
package io.dxnet.tools.bench.nodes;
