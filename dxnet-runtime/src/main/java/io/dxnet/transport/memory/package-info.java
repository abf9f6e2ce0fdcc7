/**
 * What a transport offers where its hardware, or a node that has mapped it, reads and writes the
 * memory of other nodes: the service of {@code io.dxnet.memory} uses it, and carries operations
 * out by messages where a transport has none.
 */
@NullMarked
package io.dxnet.transport.memory;

import org.jspecify.annotations.NullMarked;
