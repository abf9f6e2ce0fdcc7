package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** The contract suite where all messages are encrypted with keys that mutual TLS has protected. */
class TlsEncryptedContractTest extends TlsContractTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return super.configure(builder).transportOption("ib.security", "aes-gcm");
    }

    @Override
    protected boolean allocatesOnTheWire() {
        return true; // javax.crypto, for each message that is posted
    }
}
