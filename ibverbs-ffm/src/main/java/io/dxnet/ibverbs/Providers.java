package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** The providers of this JVM: those of the {@link ServiceLoader}, then libibverbs itself. */
final class Providers {
    private static final Map<VerbsProvider, Library> LIBRARIES = new ConcurrentHashMap<>();
    private static final List<VerbsProvider> ALL = find();

    private Providers() {}

    private static List<VerbsProvider> find() {
        List<VerbsProvider> all = new ArrayList<>();
        ServiceLoader.load(VerbsProvider.class, Providers.class.getClassLoader())
                .forEach(all::add);
        all.add(new LibibverbsProvider());
        return List.copyOf(all);
    }

    static List<VerbsProvider> all() {
        return ALL;
    }

    /**
     * The provider that has the device; the last one, libibverbs, is asked for what no other has.
     */
    static VerbsProvider of(String deviceName) {
        for (VerbsProvider provider : ALL) {
            if (provider.offers(deviceName)) {
                return provider;
            }
        }
        throw new AssertionError("libibverbs offers every name");
    }

    /** Loads the provider's functions once; a failure is tried again at the next call. */
    static Library library(VerbsProvider provider) {
        return LIBRARIES.computeIfAbsent(provider, Providers::load);
    }

    private static Library load(VerbsProvider provider) {
        requireNativeAccess();
        requireSupportedMachine();
        try {
            return new Library(provider, CallsChoice.chosen());
        } catch (UnsupportedOperationException e) {
            throw new VerbsUnavailableException(VerbsUnavailableException.Cause.NOT_INSTALLED, e.getMessage(), e);
        }
    }

    /**
     * Tries the mildest restricted call, so that the failure is not the static
     * initialiser of some generated class.
     */
    @SuppressWarnings({"restricted", "ReturnValueIgnored"})
    private static void requireNativeAccess() {
        try {
            MemorySegment.NULL.reinterpret(1);
        } catch (IllegalCallerException e) {
            Module module = Providers.class.getModule();
            String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new VerbsUnavailableException(
                    VerbsUnavailableException.Cause.NATIVE_ACCESS_DENIED,
                    "this JVM denies native access: start it with --enable-native-access=" + name,
                    e);
        }
    }

    private static void requireSupportedMachine() {
        String os = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        if (!os.equals("Linux") || !(machine.equals("amd64") || machine.equals("aarch64"))) {
            throw new VerbsUnavailableException(
                    VerbsUnavailableException.Cause.INCOMPATIBLE,
                    "the layouts are those of Linux on amd64 and aarch64, this is " + os + " on " + machine,
                    null);
        }
    }
}
