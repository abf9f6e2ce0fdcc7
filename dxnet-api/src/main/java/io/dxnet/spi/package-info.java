/** What the engine implements: not for applications. */
@NullMarked
package io.dxnet.spi;

import org.jspecify.annotations.NullMarked;
