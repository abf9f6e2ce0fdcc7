package io.dxnet.transport.ib;

/** The send queue whose messages are encrypted, with a key that changes all the time. */
class EncryptedSendQueueTest extends SendQueueTest {
    @Override
    protected Encryption encryption() {
        return Encryption.AES_GCM;
    }
}
