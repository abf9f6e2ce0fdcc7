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
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Picks the transport and starts the engine on it. With {@code transport=auto}, a transport
 * that cannot run here, or whose {@link TransportProvider#create} refuses the configuration,
 * is passed over; the engine's description names it and the cause. An option that protects
 * messages on one transport alone ({@link TransportProvider#irreplaceable}) is an error with it.
 */
public final class MessagingEngineProvider implements EngineProvider {
    private static final String AUTO = "auto";
    /** Their options may be in a file for several nodes where their jar is not. */
    private static final Set<String> OWN = Set.of("ib", "loopback", "nio", "shm");

    /** For {@link ServiceLoader}. */
    public MessagingEngineProvider() {}

    @Override
    public Engine create(DXNetConfig config, NodeMap nodeMap) {
        return choose(providers(), config, nodeMap);
    }

    /**
     * Makes the engine on the transport that the configuration names, or on the
     * first of the list that can run here.
     */
    static MessagingEngine choose(List<TransportProvider> providers, DXNetConfig config, NodeMap nodeMap) {
        checkPrefixes(providers, config);
        if (AUTO.equals(config.transport())) {
            return automatic(providers, config, nodeMap);
        }
        TransportProvider chosen = named(providers, config);
        return new MessagingEngine(config, nodeMap, chosen, chosen.name());
    }

    /** An option of no transport may be one that protects messages, with a mistake in its name. */
    private static void checkPrefixes(List<TransportProvider> providers, DXNetConfig config) {
        Set<String> names = new TreeSet<>(OWN);
        providers.forEach(each -> names.add(each.name()));
        config.transportOptions().forEach((key, value) -> {
            if (!names.contains(key.substring(0, key.indexOf('.')))) {
                throw new ConfigurationException(key + "=" + value
                        + ": there is no such transport; keys with a prefix begin with one of "
                        + String.join(", ", names));
            }
        });
    }

    private static List<TransportProvider> providers() {
        List<TransportProvider> providers = new ArrayList<>();
        ServiceLoader.load(TransportProvider.class, MessagingEngineProvider.class.getClassLoader())
                .forEach(providers::add);
        providers.sort(Comparator.comparingInt(TransportProvider::preference).reversed());
        return providers;
    }

    private static MessagingEngine automatic(List<TransportProvider> providers, DXNetConfig config, NodeMap nodeMap) {
        for (TransportProvider provider : providers) {
            provider.irreplaceable(config).ifPresent(option -> {
                throw new ConfigurationException("transport=auto: " + option + " protects messages on transport="
                        + provider.name() + " alone: set that transport, or leave out the option");
            });
        }
        StringJoiner passedOver = new StringJoiner(", ", " (", ")").setEmptyValue("");
        for (TransportProvider provider : providers) {
            Optional<String> cause = provider.unavailabilityCause(config);
            if (cause.isPresent()) {
                passedOver.add("not " + provider.name() + ": " + cause.get());
                continue;
            }
            if (provider.preference() < 0) {
                continue;
            }
            for (Map.Entry<String, DXNetConfig> attempt : attempts(provider, config)) {
                try {
                    return new MessagingEngine(attempt.getValue(), nodeMap, provider, attempt.getKey() + passedOver);
                } catch (ConfigurationException e) {
                    passedOver.add("not " + attempt.getKey() + ": " + e.getMessage());
                }
            }
        }
        throw new ConfigurationException("transport=auto: no transport can run here" + passedOver
                + "; put transport-nio on the class path or module path, or set transport=loopback");
    }

    /**
     * The configurations that a transport is tried with, each with its name for the description.
     */
    private static List<Map.Entry<String, DXNetConfig>> attempts(TransportProvider provider, DXNetConfig config) {
        List<Map.Entry<String, DXNetConfig>> attempts = new ArrayList<>();
        attempts.add(Map.entry(provider.name(), config));
        provider.smaller(config)
                .ifPresent(less -> attempts.add(Map.entry(provider.name() + " with less memory", less)));
        return attempts;
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
