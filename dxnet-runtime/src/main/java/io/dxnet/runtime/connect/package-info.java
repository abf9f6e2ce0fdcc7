/**
 * Connections by node id: made on demand, limited, ended in order (DXNet §IX).
 * {@link io.dxnet.runtime.connect.ConnectionManager} carries out what
 * {@link io.dxnet.runtime.peer.ConnectionLife} decides;
 * {@link io.dxnet.runtime.connect.ControlAgent} is the thread for all that is not urgent.
 */
@NullMarked
package io.dxnet.runtime.connect;

import org.jspecify.annotations.NullMarked;
