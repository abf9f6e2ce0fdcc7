/**
 * The seams of the binding: where the functions of libibverbs come from, and how they are called.
 */
package io.dxnet.ibverbs.spi;
