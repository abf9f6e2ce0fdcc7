/**
 * The outgoing ring buffer (ORB) with its catch-up buffer (CUB, DXNet §IV): senders write
 * into it, a transport reads it.
 */
@NullMarked
package io.dxnet.transport.ring;

import org.jspecify.annotations.NullMarked;
