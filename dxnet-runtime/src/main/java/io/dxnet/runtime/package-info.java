/**
 * The engine: everything between the application's call and a transport, and back. Not exported.
 */
@NullMarked
package io.dxnet.runtime;

import org.jspecify.annotations.NullMarked;
