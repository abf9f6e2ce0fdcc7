/**
 * Outstanding requests: the map by message id, and the threads and futures that wait for responses.
 */
package io.dxnet.runtime.request;
