/**
 * One-sided access to memory of other nodes over verbs: {@code io.dxnet.transport.memory}.
 *
 * <p>Each access of a node has a queue pair and a completion queue of its own on both sides, each
 * exposed segment a protection domain of its own, and all accesses of a node share one for their
 * local memory: an error ends one access, never messaging. One thread polls them all.
 */
package io.dxnet.transport.ib.memory;
