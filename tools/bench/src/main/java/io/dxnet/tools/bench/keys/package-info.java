/** {@code ./dxnet keys}: the keys and certificates of a cluster with mutual TLS. */
package io.dxnet.tools.bench.keys;
