/**
 * TCP channels of connections, plain or under TLS 1.3, and the certificates that name nodes. Knows
 * nothing of the configuration, nor of what the bytes mean.
 */
@NullMarked
package io.dxnet.transport.tls;

import org.jspecify.annotations.NullMarked;
