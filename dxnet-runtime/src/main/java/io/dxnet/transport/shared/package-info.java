/**
 * What transports share besides the life of a connection: the interest queue (DXNet §XI),
 * batching of sends, options.
 */
@NullMarked
package io.dxnet.transport.shared;

import org.jspecify.annotations.NullMarked;
