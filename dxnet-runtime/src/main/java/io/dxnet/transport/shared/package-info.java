/**
 * What transports share besides the life of a connection: the interest queue (DXNet §XI),
 * batching of sends, options, and a log for threads that survive errors.
 */
@NullMarked
package io.dxnet.transport.shared;

import org.jspecify.annotations.NullMarked;
