package io.dxnet.transport.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The key, the certificate and the trusted authorities of a node, for any number of channels.
 * Handshakes are resumed within one object: another one, of changed stores, resumes nothing of this
 * one. Any thread.
 */
public final class TlsContext {
    private static final String PROTOCOL = "TLSv1.3";
    private static final String[] SUITES = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};
    /**
     * Decrypts the key once. {@code PKIX} reads it from the store in each handshake: with 10,000
     * rounds of PBKDF2, most of the time of a handshake that is resumed.
     */
    private static final String KEY_MANAGER = "SunX509";

    private static final int SESSION_SECONDS = 3600;
    /** The most handshakes that can be resumed. */
    private static final int SESSIONS_MAX = 4096;

    private final SSLContext context;
    private final X509Certificate certificate;

    private TlsContext(SSLContext context, X509Certificate certificate) {
        this.context = context;
        this.certificate = certificate;
    }

    /**
     * Reads stores in the format PKCS12.
     *
     * @param keys with one key and its certificates
     * @param trust with the certificates of the authorities
     * @param password of both; the caller overwrites it
     * @return the context
     * @throws IOException when a store can't be read
     * @throws GeneralSecurityException when its content can't be used
     */
    public static TlsContext load(Path keys, Path trust, char[] password) throws IOException, GeneralSecurityException {
        KeyStore keyStore = read(keys, password);
        KeyStore trustStore = read(trust, password);
        KeyManagerFactory key = KeyManagerFactory.getInstance(KEY_MANAGER);
        key.init(keyStore, password);
        TrustManagerFactory authorities = TrustManagerFactory.getInstance("PKIX");
        authorities.init(trustStore);
        if (Collections.list(trustStore.aliases()).isEmpty()) {
            throw new KeyStoreException("it has no certificate of an authority");
        }
        SSLContext context = SSLContext.getInstance(PROTOCOL);
        context.init(key.getKeyManagers(), authorities.getTrustManagers(), null);
        bound(context.getServerSessionContext());
        bound(context.getClientSessionContext());
        return new TlsContext(context, certificate(keyStore));
    }

    private static void bound(SSLSessionContext sessions) {
        sessions.setSessionTimeout(SESSION_SECONDS);
        sessions.setSessionCacheSize(SESSIONS_MAX);
    }

    private static KeyStore read(Path path, char[] password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(path)) {
            store.load(in, password);
        }
        return store;
    }

    private static X509Certificate certificate(KeyStore store) throws KeyStoreException {
        X509Certificate found = null;
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate each) {
                if (found != null) {
                    throw new KeyStoreException("it has more than one key");
                }
                found = each;
            }
        }
        if (found == null) {
            throw new KeyStoreException("it has no key with a certificate");
        }
        return found;
    }

    /**
     * Rehearses a handshake of this node with itself, which takes long once in a process.
     *
     * @return why other nodes with the same authorities would refuse this node; null: they accept
     *     it
     */
    public @Nullable String rehearse() {
        return Rehearsal.run(this);
    }

    /** {@return this node's own certificate} */
    public X509Certificate certificate() {
        return certificate;
    }

    /** {@return an engine for a channel that another node has opened; it demands a certificate} */
    public SSLEngine accepting() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        configure(engine);
        engine.setNeedClientAuth(true);
        return engine;
    }

    /**
     * Makes an engine for a channel to another node. Its handshake is resumed by node id.
     *
     * @param nodeId the other node
     * @return the engine
     */
    public SSLEngine connecting(int nodeId) {
        // No host name, which would be sent in the clear: it has no dot.
        SSLEngine engine = context.createSSLEngine("node-" + nodeId, 1);
        engine.setUseClientMode(true);
        configure(engine);
        return engine;
    }

    private static void configure(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {PROTOCOL});
        parameters.setCipherSuites(SUITES);
        parameters.setUseCipherSuitesOrder(true);
        engine.setSSLParameters(parameters);
    }
}
