/** Generated payloads, which a receiver checks byte by byte. */
package io.dxnet.tools.payload;
