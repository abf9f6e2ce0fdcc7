/** The application's interface. */
@NullMarked
package io.dxnet;

import org.jspecify.annotations.NullMarked;
