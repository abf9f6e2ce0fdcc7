/**
 * The protocol of RoCEv2, without objects of verbs: packets as descriptors, the invariant check
 * sum, and a reliable connection's requester and responder as state machines. A machine is driven
 * by one thread at a time with the time of a clock, so that it runs in simulation as on a socket.
 */
package io.dxnet.softhca.roce;
