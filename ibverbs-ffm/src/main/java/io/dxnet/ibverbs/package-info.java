/**
 * The typed verbs API. Memory regions are made of memory of this process: regions of other devices'
 * memory ({@code ibv_reg_dmabuf_mr}, DMA-BUF) are left out.
 */
package io.dxnet.ibverbs;
