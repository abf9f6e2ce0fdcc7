/** What the engine implements: not for applications. */
package io.dxnet.spi;
