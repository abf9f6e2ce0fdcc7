package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/** The real thing: {@code libibverbs.so.1} (the name without {@code .1} comes only with the development package). */
final class LibibverbsProvider implements VerbsProvider {
    /** Another file or soname to load, for instance of a self-built rdma-core. */
    static final String LIBRARY_PROPERTY = "io.dxnet.ibverbs.library";

    private static final String SONAME = "libibverbs.so.1";

    private SymbolLookup symbols;

    @Override
    public String name() {
        return "libibverbs";
    }

    /** Whatever no other provider offers is looked for here. */
    @Override
    public boolean offers(String deviceName) {
        return true;
    }

    @Override
    @SuppressWarnings("restricted")
    public synchronized SymbolLookup symbols() {
        if (symbols == null) {
            String file = System.getProperty(LIBRARY_PROPERTY, SONAME);
            try {
                // Providers register themselves for the life of the process: the library is never unloaded.
                symbols = SymbolLookup.libraryLookup(file, Arena.global());
            } catch (IllegalArgumentException e) {
                throw new UnsupportedOperationException(
                        file
                                + " cannot be loaded: install it (Debian, Ubuntu: apt-get install libibverbs1 ibverbs-providers;"
                                + " Fedora, RHEL: dnf install libibverbs) or name the file with -D" + LIBRARY_PROPERTY
                                + "=/path/to/libibverbs.so.1",
                        e);
            }
        }
        return symbols;
    }

    @Override
    public boolean upcalls() {
        return false;
    }
}
