/**
 * {@code ./dxnet endpoints-bench}: the six categories of scalable endpoints on the verbs binding.
 */
package io.dxnet.tools.verbs.endpoints;
