/**
 * The life of a connection, the same for every transport: its states from the first attempt to the
 * release of its memory, both sides of its opening, the agent that applies interests and proceeds
 * with ends, and the lock of the thread that sends. The Paired classes are those of the wires on
 * which each node opens its own direction. What stays in a transport is the wire: pipes, shared
 * rings, or queue pairs.
 *
 * <p>{@link io.dxnet.transport.connection.ConnectionState} has the diagram of the states.
 */
@NullMarked
package io.dxnet.transport.connection;

import org.jspecify.annotations.NullMarked;
