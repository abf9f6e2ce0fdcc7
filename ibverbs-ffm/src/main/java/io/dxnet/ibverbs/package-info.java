/** The typed verbs API. */
package io.dxnet.ibverbs;
