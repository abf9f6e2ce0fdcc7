package io.dxnet.attack;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.contract.TestKeys;
import java.util.Arrays;
import java.util.List;

/** The modes of security that the attacks are tried on. */
public enum Protection {
    NONE {
        @Override
        public DXNetConfig.Builder member(DXNetConfig.Builder builder) {
            return builder.security(SecurityMode.NONE);
        }

        @Override
        public DXNetConfig.Builder stranger(DXNetConfig.Builder builder) {
            return member(builder);
        }
    },
    KEY {
        @Override
        public DXNetConfig.Builder member(DXNetConfig.Builder builder) {
            return builder.security(SecurityMode.KEY).keySource(() -> List.of(key(1)));
        }

        @Override
        public DXNetConfig.Builder stranger(DXNetConfig.Builder builder) {
            return builder.security(SecurityMode.KEY).keySource(() -> List.of(key(2)));
        }
    },
    TLS {
        @Override
        public DXNetConfig.Builder member(DXNetConfig.Builder builder) {
            return Stores.KEYS.configure(builder, "member", "trust");
        }

        @Override
        public DXNetConfig.Builder stranger(DXNetConfig.Builder builder) {
            return Stores.KEYS.configure(builder, "stranger", "trust");
        }
    };

    /** The nodes that certificates name: all that the attacks have. */
    private static final int[] NODES = {0, 1, 2, 3};

    /**
     * Of two authorities with the same name: "ca" is the cluster's, the other one has signed the
     * stranger's certificate, which names the same nodes. Made when the first node needs them.
     */
    private static final class Stores {
        static final TestKeys KEYS = TestKeys.untilExit(keys -> {
            keys.authority("ca");
            keys.authority("other", "ca");
            keys.trust("trust", "ca");
            keys.trust("both", "ca", "other");
            keys.trust("next", "other");
            keys.node("member", "ca", NODES);
            keys.node("stranger", "other", NODES);
        });
    }

    /** A key, the same for the same number. */
    public static byte[] key(int number) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) (0xA0 + number));
        return key;
    }

    /**
     * The stores of mode TLS: certificates "member" and "stranger" of nodes 0 to 3, and the trusted
     * authorities "trust", then "both", then "next" while the cluster changes to the stranger's.
     */
    static TestKeys stores() {
        return Stores.KEYS;
    }

    /** The configuration of a node of the cluster. */
    public abstract DXNetConfig.Builder member(DXNetConfig.Builder builder);

    /** The configuration of a node that has all but the secret. */
    public abstract DXNetConfig.Builder stranger(DXNetConfig.Builder builder);

    /** Whether attacks have to fail. */
    public boolean isOn() {
        return this != NONE;
    }
}
