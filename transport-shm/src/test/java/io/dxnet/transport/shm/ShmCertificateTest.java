package io.dxnet.transport.shm;

import io.dxnet.attack.CertificateContract;

/** Certificates that must be refused, on shared memory's side channel. */
class ShmCertificateTest extends CertificateContract {
    ShmCertificateTest() {
        super("shm", builder -> builder.transport("shm"));
    }
}
