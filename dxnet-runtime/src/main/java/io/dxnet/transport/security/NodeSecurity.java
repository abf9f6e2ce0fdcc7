package io.dxnet.transport.security;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;

/**
 * What the configuration demands of other nodes in the handshake, with the keys for it. The
 * handshake switches over the kinds. Any thread.
 */
public sealed interface NodeSecurity permits NoSecurity, KeySecurity, TlsSecurity {
    /**
     * Makes what a node's configuration demands, and reads its keys.
     *
     * @param config the node's
     * @return its security
     * @throws ConfigurationException when a key is missing, not valid, or readable by others
     */
    static NodeSecurity of(DXNetConfig config) {
        return switch (config.security()) {
            case LOCAL, NONE -> new NoSecurity(config.security());
            case KEY -> KeySecurity.of(config);
            case TLS -> TlsSecurity.of(config);
        };
    }

    /** {@return the mode that is configured} */
    SecurityMode mode();

    /**
     * Reads the keys again. Handshakes from here on use them.
     *
     * @throws ConfigurationException when they can't be read, or are not valid: nothing changes
     */
    void reload();

    /** {@return mode and place of the keys, in words; nothing of the keys themselves} */
    String describe();
}
