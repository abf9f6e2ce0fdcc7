/** The one seam of the binding: where the functions of libibverbs come from. */
package io.dxnet.ibverbs.spi;
