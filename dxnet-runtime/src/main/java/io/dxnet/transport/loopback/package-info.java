/**
 * The loopback transport (DXNet §XII): nodes of one process.
 */
@NullMarked
package io.dxnet.transport.loopback;

import org.jspecify.annotations.NullMarked;
