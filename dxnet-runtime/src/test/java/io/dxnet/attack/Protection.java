package io.dxnet.attack;

import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
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
    };

    /** A key, the same for the same number. */
    public static byte[] key(int number) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) (0xA0 + number));
        return key;
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
