package io.dxnet.transport.ib;

import io.dxnet.ConfigurationException;
import io.dxnet.transport.security.NoSecurity;
import io.dxnet.transport.security.NodeSecurity;

/** Whether messages over RDMA are encrypted and authenticated: {@code ib.security}. */
enum Encryption {
    /** They are as they are. */
    NONE("none"),
    /** Each message is encrypted and authenticated with AES-GCM. */
    AES_GCM("aes-gcm");

    /** What the option may be. */
    static final String ALLOWED = "none and aes-gcm";

    private final String text;

    Encryption(String text) {
        this.text = text;
    }

    /** Returns the value of the option; null where there is no such one. */
    static Encryption of(String text) {
        for (Encryption each : values()) {
            if (each.text.equals(text)) {
                return each;
            }
        }
        return null;
    }

    /** What a message has more than its content. */
    int overheadBytes() {
        return this == NONE ? 0 : GcmDirection.TAG_BYTES;
    }

    /**
     * Checks that the nodes of a cluster have a secret that keys are derived from.
     *
     * @throws ConfigurationException where they have none
     */
    void check(NodeSecurity security) {
        if (this == AES_GCM && security instanceof NoSecurity) {
            throw new ConfigurationException(needs());
        }
    }

    /** Returns what it needs, in words. */
    String needs() {
        return "ib.security=" + text + " needs security=key or security=tls: its keys come from the handshake";
    }

    @Override
    public String toString() {
        return text;
    }
}
