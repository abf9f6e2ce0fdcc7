/**
 * What a transport implements and what it gets from the engine (DXNet §III-C). {@link io.dxnet.transport.Transport} holds the
 * contract; the contract suite of this module's tests runs on every transport unchanged.
 */
package io.dxnet.transport;
