/**
 * The handshake of two nodes over TCP, the same for every transport that opens its connections
 * between processes. It settles what the other node is, whether the two fit together, and which
 * directions belong to one connection; and it carries a payload of the transport's own.
 *
 * <p>{@link io.dxnet.transport.handshake.Connector} is the active side,
 * {@link io.dxnet.transport.handshake.Acceptor} the passive one, which asks the transport's
 * {@link io.dxnet.transport.handshake.Admission}. After an accepting reply the channel
 * is the transport's: the wire itself, or a control channel.
 */
@NullMarked
package io.dxnet.transport.handshake;

import org.jspecify.annotations.NullMarked;
