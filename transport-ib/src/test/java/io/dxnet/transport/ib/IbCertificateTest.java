package io.dxnet.transport.ib;

import io.dxnet.attack.CertificateContract;
import org.junit.jupiter.api.BeforeAll;

/** Certificates that must be refused, on the handshake that connects queue pairs. */
class IbCertificateTest extends CertificateContract {
    IbCertificateTest() {
        super("ib", IbNodes::configure);
    }

    @BeforeAll
    static void onTheSoftwareDevice() {
        IbNodes.assumeSoftware();
    }
}
