package io.dxnet.transport.nio;

import io.dxnet.attack.CertificateContract;

/** Certificates that must be refused, on TCP. */
class NioCertificateTest extends CertificateContract {
    NioCertificateTest() {
        super("nio", builder -> builder.transport("nio"));
    }
}
