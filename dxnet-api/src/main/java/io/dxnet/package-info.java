/** The application's interface. */
package io.dxnet;
