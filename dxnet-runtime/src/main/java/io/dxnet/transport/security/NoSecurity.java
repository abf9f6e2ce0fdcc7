package io.dxnet.transport.security;

import io.dxnet.SecurityMode;

/**
 * Other nodes prove nothing.
 *
 * @param mode {@link SecurityMode#LOCAL} or {@link SecurityMode#NONE}
 */
public record NoSecurity(SecurityMode mode) implements NodeSecurity {
    @Override
    public void reload() {
        // nothing is read
    }

    @Override
    public String describe() {
        return mode == SecurityMode.LOCAL ? "security=local (loopback only)" : "security=none";
    }
}
