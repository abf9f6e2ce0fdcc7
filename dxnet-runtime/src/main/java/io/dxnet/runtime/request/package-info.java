/**
 * Outstanding requests: the map by message id, and the threads and futures that wait for responses.
 */
@NullMarked
package io.dxnet.runtime.request;

import org.jspecify.annotations.NullMarked;
