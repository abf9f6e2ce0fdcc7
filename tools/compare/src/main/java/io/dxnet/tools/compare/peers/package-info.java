/** The systems that are compared, each in the configuration that its documentation recommends. */
package io.dxnet.tools.compare.peers;
