/**
 * The life of a connection, the same for every transport: its states from the first attempt to the
 * release of its memory, the lock of the thread that sends, and the passive side of its opening.
 * What stays in a transport is the wire: pipes, or queue pairs.
 *
 * <p>{@link io.dxnet.transport.connection.ConnectionState} has the diagram of the states.
 */
@NullMarked
package io.dxnet.transport.connection;

import org.jspecify.annotations.NullMarked;
