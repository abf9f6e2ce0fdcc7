package io.dxnet.attack;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.contract.TestKeys;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rolling change of what nodes prove themselves with: a step is done on all nodes before the
 * next.
 */
abstract class SecretChange {
    /** How a mode changes. */
    static SecretChange of(Protection mode) {
        return switch (mode) {
            case KEY -> new Keys();
            case TLS -> new Certificates();
            case NONE -> throw new IllegalArgumentException("nothing to change");
        };
    }

    /** The steps, beginning with what the nodes start with. */
    abstract int steps();

    /** Does a step on one node, but for its reload. */
    abstract void install(int node, int step);

    /** The configuration of a node that has the first step, and is to change. */
    abstract DXNetConfig.Builder configure(DXNetConfig.Builder builder, int node);

    /** The old key, both, both in the other order, the new one. */
    private static final class Keys extends SecretChange {
        private static final List<List<byte[]>> STEPS = List.of(
                List.of(Protection.key(1)),
                List.of(Protection.key(1), Protection.key(3)),
                List.of(Protection.key(3), Protection.key(1)),
                List.of(Protection.key(3)));

        private final Map<Integer, List<byte[]>> keys = new ConcurrentHashMap<>();

        @Override
        int steps() {
            return STEPS.size();
        }

        @Override
        void install(int node, int step) {
            keys.put(node, STEPS.get(step));
        }

        @Override
        DXNetConfig.Builder configure(DXNetConfig.Builder builder, int node) {
            return builder.security(SecurityMode.KEY)
                    .keySource(() -> keys.get(node).stream().map(byte[]::clone).toList());
        }
    }

    /** The old authority, both, certificates of the new one, the new one alone. */
    private static final class Certificates extends SecretChange {
        private static final List<List<String>> STEPS = List.of(
                List.of("member", "trust"),
                List.of("member", "both"),
                List.of("stranger", "both"),
                List.of("stranger", "next"));

        private final TestKeys stores = Protection.stores();

        @Override
        int steps() {
            return STEPS.size();
        }

        @Override
        void install(int node, int step) {
            stores.install(STEPS.get(step).get(0), "live-" + node);
            stores.install(STEPS.get(step).get(1), "live-trust-" + node);
        }

        @Override
        DXNetConfig.Builder configure(DXNetConfig.Builder builder, int node) {
            return stores.configure(builder, "live-" + node, "live-trust-" + node);
        }
    }
}
