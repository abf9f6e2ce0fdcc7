/**
 * The outgoing ring buffer (ORB) with its catch-up buffer (CUB, DXNet §IV): senders write
 * into it, a transport reads it.
 */
package io.dxnet.transport.ring;
