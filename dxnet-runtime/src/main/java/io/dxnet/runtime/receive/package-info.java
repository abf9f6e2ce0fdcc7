/**
 * The middle of a message's path at the receiver: the queue of received buffers (IBQ), the
 * message creation coordinator, which finds the messages in them, and the header stores between
 * it and the handlers (DXNet §VI).
 */
@NullMarked
package io.dxnet.runtime.receive;

import org.jspecify.annotations.NullMarked;
