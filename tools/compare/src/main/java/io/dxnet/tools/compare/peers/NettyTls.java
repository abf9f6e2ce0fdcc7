package io.dxnet.tools.compare.peers;

import io.dxnet.ConfigKey;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Netty's mutual TLS 1.3 with the certificates of DXNet's nodes, by OpenSSL (BoringSSL), which its
 * documentation recommends, where it can be loaded.
 */
final class NettyTls {
    /** What computes the TLS. */
    static final SslProvider PROVIDER = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

    /** Over what it runs, as the DXNet that it is compared with. */
    static final String CROSSES = "TCP, TLS 1.3";

    private static final String PROTOCOL = "TLSv1.3";

    private NettyTls() {}

    static SslContext server() throws GeneralSecurityException, IOException {
        return SslContextBuilder.forServer(keys())
                .trustManager(trust())
                .clientAuth(ClientAuth.REQUIRE)
                .sslProvider(PROVIDER)
                .protocols(PROTOCOL)
                .build();
    }

    static SslContext client() throws GeneralSecurityException, IOException {
        return SslContextBuilder.forClient()
                .keyManager(keys())
                .trustManager(trust())
                .endpointIdentificationAlgorithm(null) // the certificates name nodes, not hosts
                .sslProvider(PROVIDER)
                .protocols(PROTOCOL)
                .build();
    }

    private static KeyManagerFactory keys() throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(load(ConfigKey.TLS_KEY_STORE), password());
        return factory;
    }

    private static TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(load(ConfigKey.TLS_TRUST_STORE));
        return factory;
    }

    private static KeyStore load(ConfigKey key) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(path(key))) {
            store.load(in, password());
        }
        return store;
    }

    private static char[] password() throws IOException {
        return Files.readString(path(ConfigKey.TLS_PASSWORD_FILE)).strip().toCharArray();
    }

    private static Path path(ConfigKey key) {
        return Path.of(System.getProperty(SecurityKeys.property(key)));
    }
}
