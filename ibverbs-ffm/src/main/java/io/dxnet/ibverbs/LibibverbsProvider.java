package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.VerbsProvider;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The real thing: {@code libibverbs.so.1} (the name without {@code .1} comes only
 * with the development package).
 */
final class LibibverbsProvider implements VerbsProvider {
    /** Another file or soname to load, for instance of a self-built rdma-core. */
    static final String LIBRARY_PROPERTY = "io.dxnet.ibverbs.library";

    /** Drivers of hardware whose user library posts and polls without the kernel. */
    private static final Set<String> USER_SPACE_DRIVERS = Set.of(
            "mlx4_core",
            "mlx5_core",
            "bnxt_en",
            "ice",
            "i40e",
            "irdma",
            "efa",
            "erdma",
            "hns3",
            "hns_roce_hw_v2",
            "qede",
            "cxgb4",
            "mana",
            "ionic",
            "ocrdma",
            "be2net",
            "vmw_pvrdma");

    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private static final String SONAME = "libibverbs.so.1";

    private SymbolLookup symbols;

    @Override
    public String name() {
        return "libibverbs";
    }

    /** Whatever no other provider offers is searched for here. */
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
                // Providers register themselves for the life of the process:
                // the library is never unloaded.
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

    @Override
    public boolean sendsStayInUserSpace(String deviceName) {
        return !isRxe(deviceName) && !deviceName.startsWith("siw") && hasUserSpaceDriver(deviceName);
    }

    /**
     * rxe enters the kernel for sends only; its receive and completion
     * queues are memory that both map.
     */
    @Override
    public boolean receivesStayInUserSpace(String deviceName) {
        return isRxe(deviceName) || sendsStayInUserSpace(deviceName);
    }

    /**
     * Only rxe has this file: it names the network interface below. The driver below is then that
     * interface's, which proves nothing.
     */
    private static boolean isRxe(String deviceName) {
        return Files.exists(DEVICES.resolve(deviceName).resolve("parent"));
    }

    private static boolean hasUserSpaceDriver(String deviceName) {
        Path link = DEVICES.resolve(deviceName).resolve("device").resolve("driver");
        try {
            return Files.exists(link)
                    && USER_SPACE_DRIVERS.contains(
                            link.toRealPath().getFileName().toString());
        } catch (IOException e) {
            return false;
        }
    }
}
