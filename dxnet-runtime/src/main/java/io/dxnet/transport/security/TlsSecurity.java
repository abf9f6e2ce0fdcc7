package io.dxnet.transport.security;

import io.dxnet.ConfigurationException;
import io.dxnet.DXNetConfig;
import io.dxnet.SecurityMode;
import io.dxnet.transport.tls.NodeCertificate;
import io.dxnet.transport.tls.TlsChannel;
import io.dxnet.transport.tls.TlsContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.Arrays;

/**
 * Each node proves with a certificate which node it is, and everything on TCP is encrypted: TLS
 * 1.3, both nodes authenticated. Any thread.
 */
public final class TlsSecurity implements NodeSecurity {
    private static final System.Logger LOG = System.getLogger(TlsSecurity.class.getName());
    private static final int PASSWORD_BYTES_MAX = 1024;

    private final DXNetConfig config;
    private volatile TlsContext context; // reload()

    private TlsSecurity(DXNetConfig config) {
        this.config = config;
        this.context = load(config);
    }

    /**
     * Reads the stores of a node.
     *
     * @param config its configuration
     * @return its security
     * @throws ConfigurationException when a store or the password is missing or not valid, when
     *     others can read key or password, or when others can write the trusted certificates
     */
    static TlsSecurity of(DXNetConfig config) {
        return new TlsSecurity(config);
    }

    private static TlsContext load(DXNetConfig config) {
        Path keys = path("tlsKeyStore", config.tlsKeyStore());
        Path trust = path("tlsTrustStore", config.tlsTrustStore());
        char[] password = password(config);
        try {
            check("tlsKeyStore=" + keys, () -> PrivateFile.check(keys));
            check("tlsTrustStore=" + trust, () -> PrivateFile.checkUnchangeable(trust));
            TlsContext context = TlsContext.load(keys, trust, password);
            String fault = context.rehearse();
            if (fault != null) {
                LOG.log(
                        Level.WARNING,
                        "security=tls: nodes with tlsTrustStore=" + trust + " refuse the certificate of tlsKeyStore="
                                + keys + ": " + fault);
            }
            return context;
        } catch (IOException e) {
            throw new ConfigurationException(
                    "security=tls: tlsKeyStore=" + keys + " or tlsTrustStore=" + trust + ": " + PrivateFile.words(e));
        } catch (GeneralSecurityException e) {
            throw new ConfigurationException("security=tls: tlsKeyStore=" + keys + " or tlsTrustStore=" + trust
                    + " can't be used: " + e.getMessage());
        } finally {
            Arrays.fill(password, '\0');
        }
    }

    private interface Check {
        void run() throws IOException;
    }

    private static void check(String name, Check check) {
        try {
            check.run();
        } catch (IOException e) {
            throw new ConfigurationException("security=tls: " + name + ": " + PrivateFile.words(e));
        }
    }

    private static Path path(String key, String value) {
        if (value.isEmpty()) {
            throw new ConfigurationException("security=tls needs " + key + ": './dxnet keys' makes it");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new ConfigurationException(key + "=" + value + " is no path", e);
        }
    }

    private static char[] password(DXNetConfig config) {
        if (!config.tlsPasswordFile().isEmpty()) {
            Path file = path("tlsPasswordFile", config.tlsPasswordFile());
            try {
                return PrivateFile.read(file, PASSWORD_BYTES_MAX, TlsSecurity::firstLine);
            } catch (IOException e) {
                throw new ConfigurationException("security=tls: tlsPasswordFile=" + file + ": " + PrivateFile.words(e));
            }
        }
        String text = System.getenv(config.tlsPasswordVariable());
        if (text == null) {
            throw new ConfigurationException("security=tls needs the stores' password: tlsPasswordFile is empty,"
                    + " and environment variable " + config.tlsPasswordVariable() + " is not set");
        }
        return text.toCharArray();
    }

    private static char[] firstLine(byte[] bytes, int length) {
        int end = 0;
        while (end < length && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(bytes, 0, end));
        char[] password = new char[text.remaining()];
        text.get(password);
        Arrays.fill(text.array(), '\0');
        return password;
    }

    /**
     * Makes the TLS of a channel that another node has opened.
     *
     * @param net the bytes of the channel, which never waits
     * @return its TLS handshake has not begun
     */
    public TlsChannel accepting(ByteChannel net) {
        return new TlsChannel(net, context.accepting());
    }

    /**
     * Makes the TLS of a channel to another node.
     *
     * @param net the bytes of the channel
     * @param nodeId the other node
     * @return its TLS handshake has not begun
     */
    public TlsChannel connecting(ByteChannel net, int nodeId) {
        return new TlsChannel(net, context.connecting(nodeId));
    }

    /**
     * Checks that the other side of a stream is a node of this cluster.
     *
     * @param tls after its handshake
     * @param nodeId the node that it has to be
     * @throws CertificateException when its certificate names another one
     */
    public void check(TlsChannel tls, int nodeId) throws CertificateException {
        NodeCertificate.check(tls.session(), config.clusterName(), nodeId);
    }

    @Override
    public SecurityMode mode() {
        return SecurityMode.TLS;
    }

    /** One at a time: the stores that are read last are those that stay. */
    @Override
    public synchronized void reload() {
        context = load(config);
    }

    @Override
    public String describe() {
        return "security=tls (certificate of " + config.tlsKeyStore() + ", valid until "
                + context.certificate().getNotAfter().toInstant() + ")";
    }
}
