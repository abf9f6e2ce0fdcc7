/**
 * The handshake of two nodes over TCP, the same for every transport that opens its connections between processes: who the other
 * node is, whether the two fit together, which directions belong to one connection, and a payload of the transport's own. On the
 * active side {@link io.dxnet.transport.handshake.Connector}, on the passive side {@link io.dxnet.transport.handshake.Acceptor},
 * which asks the transport's {@link io.dxnet.transport.handshake.Admission}. After an accepting reply the channel is the
 * transport's: the wire itself, or a side channel.
 */
package io.dxnet.transport.handshake;
