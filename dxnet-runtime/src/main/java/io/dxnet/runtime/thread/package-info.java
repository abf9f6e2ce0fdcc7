/**
 * Threads of the engine: how they run agents, wait, park and are signalled, and which of them
 * complete futures (DXNet §VII).
 */
package io.dxnet.runtime.thread;
