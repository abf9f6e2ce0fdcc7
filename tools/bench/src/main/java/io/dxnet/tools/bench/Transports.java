package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.TransportProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The transports that are on the module path. */
final class Transports {
    static final String AUTO = "auto";
    static final String LOOPBACK = "loopback";

    private Transports() {}

    /** The transport that will be used; {@code auto} is the best one that connects processes, else loopback. */
    static String resolve(DXNetConfig config) throws BenchException {
        List<TransportProvider> providers = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        String wanted = config.transport();
        if (wanted.equals(AUTO)) {
            return providers.stream()
                    .filter(provider -> provider.preference() >= 0)
                    .filter(provider -> provider.unavailabilityCause(config).isEmpty())
                    .max(Comparator.comparingInt(TransportProvider::preference))
                    .map(TransportProvider::name)
                    .orElse(LOOPBACK);
        }
        TreeMap<String, TransportProvider> byName = new TreeMap<>();
        providers.forEach(provider -> byName.put(provider.name(), provider));
        TransportProvider provider = byName.get(wanted);
        if (provider == null) {
            if (wanted.equals(LOOPBACK)) {
                return LOOPBACK; // it is the engine's own and may not be a provider
            }
            throw new BenchException("there is no transport '" + wanted + "'; there are: loopback, "
                    + String.join(", ", byName.keySet()));
        }
        Optional<String> cause = provider.unavailabilityCause(config);
        if (cause.isPresent()) {
            throw new BenchException("transport " + wanted + " can't run here: " + cause.get());
        }
        return wanted;
    }
}
