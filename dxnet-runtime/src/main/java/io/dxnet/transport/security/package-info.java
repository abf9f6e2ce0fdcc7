/**
 * How this node and others prove to each other what they are: the mode that is configured, and the
 * keys that it uses. The handshake asks {@link io.dxnet.transport.TransportContext#security}.
 */
@NullMarked
package io.dxnet.transport.security;

import org.jspecify.annotations.NullMarked;
