package io.dxnet;

/** How nodes know each other: the same on all nodes of a cluster. */
public enum SecurityMode {
    /**
     * Not at all, and the node starts only where it listens on a loopback address, which no other
     * machine reaches.
     */
    LOCAL,
    /**
     * Not at all: any machine that reaches the port can join. The same on the wire as
     * {@link #LOCAL}.
     */
    NONE,
    /**
     * Each proves in the handshake that it has the cluster's key ({@link DXNetConfig#keyFile()},
     * {@link DXNetConfig#keyVariable()}, {@link DXNetConfig#keySource()}). The bytes after the
     * handshake are neither encrypted nor authenticated.
     */
    KEY,
    /** Mutual TLS 1.3: each proves in the handshake that it has the key of its certificate. */
    TLS;

    /** {@return whether another node has to prove what it is before it is answered} */
    public boolean isAuthenticated() {
        return this == KEY || this == TLS;
    }
}
