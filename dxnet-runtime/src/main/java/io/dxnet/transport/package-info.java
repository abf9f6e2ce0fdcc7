/**
 * What a transport implements, what it gets from the engine, and what transports share
 * (DXNet §III-C). {@link io.dxnet.transport.Transport} holds the contract; the contract
 * suite of this module's tests runs on every transport unchanged.
 */
@NullMarked
package io.dxnet.transport;

import org.jspecify.annotations.NullMarked;
