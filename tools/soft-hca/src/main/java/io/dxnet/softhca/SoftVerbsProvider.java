package io.dxnet.softhca;

import io.dxnet.ibverbs.spi.LocalVerbs;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** Offers the software devices {@code soft0} … and {@code softib0} … to the binding. */
public final class SoftVerbsProvider implements VerbsProvider {
    private static final LocalVerbs LOCAL = new DirectVerbs();

    /** Creates the provider; all of them lead to the same devices. */
    public SoftVerbsProvider() {}

    @Override
    public String name() {
        return "soft-hca";
    }

    @Override
    public boolean offers(String deviceName) {
        return Symbols.offers(deviceName, false);
    }

    @Override
    public SymbolLookup symbols() {
        return Symbols.find(false);
    }

    @Override
    public boolean upcalls() {
        return true;
    }

    @Override
    public Optional<LocalVerbs> localVerbs(String deviceName) {
        return Optional.of(LOCAL);
    }

    @Override
    public int errno(int captured) {
        return Errno.last();
    }
}
