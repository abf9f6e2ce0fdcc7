/** {@code ./dxnet verbs-bench}: the Java InfiniBand Benchmark suite on the verbs binding. */
package io.dxnet.tools.verbs.jib;
