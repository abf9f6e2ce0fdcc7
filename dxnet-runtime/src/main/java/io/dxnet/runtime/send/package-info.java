/**
 * The first stage of a message's path: claim, export in place, commit, signal (DXNet §IV, §V-A),
 * the waits of senders for room, and the marks that the engine writes into a stream.
 */
@NullMarked
package io.dxnet.runtime.send;

import org.jspecify.annotations.NullMarked;
