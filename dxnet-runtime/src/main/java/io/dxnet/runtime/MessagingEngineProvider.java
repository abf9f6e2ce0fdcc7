package io.dxnet.runtime;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.spi.Engine;
import io.dxnet.spi.EngineProvider;
import io.dxnet.transport.TransportProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.StringJoiner;

/** Picks the transport and starts the engine on it. */
public final class MessagingEngineProvider implements EngineProvider {
    private static final String AUTO = "auto";

    /** For {@link ServiceLoader}. */
    public MessagingEngineProvider() {}

    @Override
    public Engine start(DXNetConfig config, NodeMap nodeMap) {
        List<TransportProvider> providers = providers();
        StringJoiner passedOver = new StringJoiner(", ", " (", ")").setEmptyValue("");
        TransportProvider chosen =
                AUTO.equals(config.transport()) ? automatic(providers, config, passedOver) : named(providers, config);
        MessagingEngine engine = new MessagingEngine(config, nodeMap, chosen, chosen.name() + passedOver);
        engine.start();
        return engine;
    }

    private static List<TransportProvider> providers() {
        List<TransportProvider> providers = new ArrayList<>();
        ServiceLoader.load(TransportProvider.class, MessagingEngineProvider.class.getClassLoader())
                .forEach(providers::add);
        providers.sort(Comparator.comparingInt(TransportProvider::preference).reversed());
        return providers;
    }

    private static TransportProvider automatic(
            List<TransportProvider> providers, DXNetConfig config, StringJoiner passedOver) {
        for (TransportProvider provider : providers) {
            Optional<String> cause = provider.unavailabilityCause(config);
            if (cause.isPresent()) {
                passedOver.add("not " + provider.name() + ": " + cause.get());
            } else if (provider.preference() >= 0) {
                return provider;
            }
        }
        throw new ConfigurationException("transport=auto: no transport can run here" + passedOver
                + "; put transport-nio on the class path or module path, or set transport=loopback");
    }

    private static TransportProvider named(List<TransportProvider> providers, DXNetConfig config) {
        StringJoiner names = new StringJoiner(", ");
        for (TransportProvider provider : providers) {
            if (provider.name().equals(config.transport())) {
                provider.unavailabilityCause(config).ifPresent(cause -> {
                    throw new ConfigurationException("transport=" + config.transport() + " can't run here: " + cause);
                });
                return provider;
            }
            names.add(provider.name());
        }
        throw new ConfigurationException("transport=" + config.transport() + ": allowed here are " + AUTO + ", " + names
                + " (a transport's jar on the class path or module path adds it)");
    }
}
