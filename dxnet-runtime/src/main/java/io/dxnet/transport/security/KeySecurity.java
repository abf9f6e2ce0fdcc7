package io.dxnet.transport.security;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import java.util.List;

/**
 * Each node proves that it has the cluster's key. One key is valid, or two while it is changed: the
 * listener's own proofs use the first, and both nodes accept both. Any thread.
 */
public final class KeySecurity implements NodeSecurity {
    private final KeyPlace place;
    private volatile List<ClusterKey> keys; // reload()

    private KeySecurity(KeyPlace place) {
        this.place = place;
        this.keys = place.read();
    }

    /**
     * Reads the keys of a node.
     *
     * @param config its configuration
     * @return its security
     * @throws ConfigurationException when there is none, it is not valid, or others can read it
     */
    static KeySecurity of(DXNetConfig config) {
        return new KeySecurity(KeyPlace.of(config));
    }

    /** {@return the keys that are valid: one or two, the one of this node's own proofs first} */
    public List<ClusterKey> keys() {
        return keys;
    }

    @Override
    public SecurityMode mode() {
        return SecurityMode.KEY;
    }

    /** One at a time: the keys that are read last are those that stay. */
    @Override
    public synchronized void reload() {
        keys = place.read();
    }

    @Override
    public String describe() {
        return "security=key (" + keys.size() + (keys.size() == 1 ? " key" : " keys") + " of " + place + ")";
    }
}
