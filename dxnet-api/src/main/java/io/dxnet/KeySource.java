package io.dxnet;

import java.util.List;

/**
 * Returns the keys of a cluster from a place of the application's own, for instance a secret store.
 * The thread that starts the node, and the one that calls {@link DXNet#reloadSecurity}.
 */
@FunctionalInterface
public interface KeySource {
    /**
     * Returns the keys that are valid now.
     *
     * @return one key, or two while it is changed: this node's own proofs use the first where it
     *     has the choice, and it accepts both; at least 32 bytes each, of a cryptographic random
     *     generator; DXNet overwrites the arrays with zeroes
     * @throws Exception where there are none; the node does not start then, or keeps the keys
     *     that it has
     */
    List<byte[]> keys() throws Exception;
}
