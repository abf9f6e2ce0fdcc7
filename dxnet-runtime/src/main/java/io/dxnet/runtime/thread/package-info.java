/**
 * Threads of the engine: how they run agents, and which of them complete futures (DXNet §VII).
 */
@NullMarked
package io.dxnet.runtime.thread;

import org.jspecify.annotations.NullMarked;
