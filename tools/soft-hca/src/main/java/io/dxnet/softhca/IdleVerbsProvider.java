package io.dxnet.softhca;

import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.SymbolLookup;

/**
 * Offers the devices {@code idle0} …, whose hot verbs do nothing and return 0. Each is a function
 * of libc that does just that: a call never comes back into the JVM, and what is measured is the
 * binding alone. All other verbs are those of the software device.
 */
public final class IdleVerbsProvider implements VerbsProvider {
    /** Creates the provider; all of them lead to the same devices. */
    public IdleVerbsProvider() {}

    @Override
    public String name() {
        return "soft-hca idle";
    }

    @Override
    public boolean offers(String deviceName) {
        return Symbols.offers(deviceName, true);
    }

    @Override
    public SymbolLookup symbols() {
        return Symbols.find(true);
    }

    /**
     * {@inheritDoc} The hot verbs are not, and no other verb may be called with {@code critical}.
     */
    @Override
    public boolean upcalls() {
        return false;
    }

    @Override
    public int errno(int captured) {
        return Errno.last();
    }
}
