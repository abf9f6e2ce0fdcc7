/** The software RDMA device: its providers and the switches for its faults. */
package io.dxnet.softhca;
