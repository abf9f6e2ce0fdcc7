/** What all peers share: the interface, what is sent and counted, and the two processes. */
package io.dxnet.tools.compare.harness;
