/**
 * Remote memory: one-sided reads, writes and atomics between nodes, the same on every wire.
 */
@NullMarked
package io.dxnet.memory;

import org.jspecify.annotations.NullMarked;
