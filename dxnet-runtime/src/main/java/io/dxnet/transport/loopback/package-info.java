/**
 * The loopback transport (DXNet §XII): nodes of one process.
 */
package io.dxnet.transport.loopback;
