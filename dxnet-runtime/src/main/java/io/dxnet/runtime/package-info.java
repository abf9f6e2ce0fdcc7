/**
 * The engine: everything between the application's call and a transport, and back. Not exported.
 */
package io.dxnet.runtime;
