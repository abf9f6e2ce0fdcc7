package io.dxnet.transport.tls;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The nodes that a certificate names. A node's name is a URI among the certificate's subject
 * alternative names, {@code dxnet:CLUSTER/node/ID}; a certificate may have several. The cluster's
 * name is encoded as in a form ({@link URLEncoder}, UTF-8).
 */
public final class NodeCertificate {
    /** The type of a URI in {@link X509Certificate#getSubjectAlternativeNames}. */
    private static final int URI = 6;

    private NodeCertificate() {}

    /**
     * Returns the name of a node.
     *
     * @param cluster its cluster
     * @param nodeId its id
     * @return the URI in its certificate
     */
    public static String name(String cluster, int nodeId) {
        return prefix(cluster) + nodeId;
    }

    private static String prefix(String cluster) {
        return "dxnet:" + URLEncoder.encode(cluster, StandardCharsets.UTF_8) + "/node/";
    }

    /**
     * Checks that the other node's certificate is valid now, and names a node. What is resumed has
     * the certificate of the first handshake, which may have expired since.
     *
     * @param session after the handshake
     * @param cluster this node's
     * @param nodeId the node that it has to be
     * @throws CertificateException when it is another node, or not valid now
     */
    public static void check(SSLSession session, String cluster, int nodeId) throws CertificateException {
        X509Certificate certificate = of(session);
        certificate.checkValidity();
        if (!names(certificate).contains(name(cluster, nodeId))) {
            throw new CertificateException("its certificate does not name node " + nodeId + " of this cluster");
        }
    }

    private static X509Certificate of(SSLSession session) throws CertificateException {
        try {
            Certificate[] chain = session.getPeerCertificates();
            if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
                return certificate;
            }
        } catch (SSLPeerUnverifiedException e) {
            // it has none
        }
        throw new CertificateException("it has no certificate");
    }

    /**
     * Returns the URIs of a certificate.
     *
     * @param certificate any
     * @return sorted; empty where there are none
     * @throws CertificateParsingException when its names can't be read
     */
    public static Collection<String> names(X509Certificate certificate) throws CertificateParsingException {
        Collection<String> names = new TreeSet<>();
        Collection<List<?>> all = certificate.getSubjectAlternativeNames();
        if (all != null) {
            for (List<?> each : all) {
                if (each.get(0) instanceof Integer type && type == URI && each.get(1) instanceof String text) {
                    names.add(text);
                }
            }
        }
        return names;
    }
}
