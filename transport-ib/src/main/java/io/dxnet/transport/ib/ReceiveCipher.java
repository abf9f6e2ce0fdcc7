package io.dxnet.transport.ib;

import java.security.GeneralSecurityException;

/**
 * Decrypts what arrives at one queue pair, and checks that it is what the other node sent next: not
 * changed, repeated, left out, reordered, or inserted. After the first message that is not, {@link
 * #end} has to be called. After an error, as for want of memory, nothing more is decrypted: the
 * numbers of the messages are not known any more. The receiving agent.
 */
final class ReceiveCipher {
    private final GcmDirection direction;
    private boolean isOver; // a message was not authentic, or an error interrupted its decryption

    ReceiveCipher(GcmDirection direction) {
        this.direction = direction;
    }

    /**
     * Decrypts a message.
     *
     * @param message with its tag
     * @param bytes of it
     * @param content where the content is written to, from 0 on; nothing is written where the
     *     message is not authentic
     * @param immediate the immediate data that came with it
     * @return the bytes of the content; -1: it is not authentic
     */
    int decrypt(byte[] message, int bytes, byte[] content, int immediate) {
        if (isOver || bytes < GcmDirection.TAG_BYTES) {
            return -1;
        }
        try {
            return direction.begin(immediate, bytes - GcmDirection.TAG_BYTES).doFinal(message, 0, bytes, content, 0);
        } catch (GeneralSecurityException e) { // AEADBadTagException
            return -1;
        } catch (RuntimeException | Error e) {
            isOver = true;
            throw e;
        }
    }

    /**
     * Decrypts nothing any more: a message was not authentic.
     *
     * @return false when nothing was decrypted any more before
     */
    boolean end() {
        boolean before = isOver;
        isOver = true;
        return !before;
    }
}
