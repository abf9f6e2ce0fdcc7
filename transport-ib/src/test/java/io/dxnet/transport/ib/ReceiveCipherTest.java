package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.transport.security.ConnectionKey;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What decrypts, with messages that are what the other node sent, and such that are not. */
class ReceiveCipherTest {
    private static final int IMMEDIATE = 0x81_0203_04;
    private static final int NOT_AUTHENTIC = -1;
    private static final ConnectionKey KEY = ConnectionKey.of(new byte[32]);
    private static final String THERE = "there";

    private final GcmDirection sender = sender(KEY, THERE);
    private final ReceiveCipher receiver = receiver(KEY, THERE);
    private final byte[] content = new byte[1024];

    private static GcmDirection sender(ConnectionKey key, String purpose) {
        return new GcmDirection(Cipher.ENCRYPT_MODE, key, purpose);
    }

    private static ReceiveCipher receiver(ConnectionKey key, String purpose) {
        return new ReceiveCipher(new GcmDirection(Cipher.DECRYPT_MODE, key, purpose));
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static byte[] encrypt(GcmDirection direction, byte[] plain) {
        try {
            return direction.begin(IMMEDIATE, plain.length).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private int decrypt(ReceiveCipher cipher, byte[] message, int immediate) {
        return cipher.decrypt(message, message.length, content, immediate);
    }

    private void assertRefused(ReceiveCipher cipher, byte[] message, int immediate) {
        Arrays.fill(content, (byte) 0);
        assertThat(decrypt(cipher, message, immediate)).isEqualTo(NOT_AUTHENTIC);
        assertThat(content).as("nothing of it is released").containsOnly(0);
    }

    @Test
    void shouldDecryptMessagesOfEachLengthInOrder() {
        for (int length = 0; length <= 100; length++) {
            byte[] plain = bytes(length);
            byte[] message = encrypt(sender, plain);
            assertThat(message).hasSize(length + GcmDirection.TAG_BYTES);
            assertThat(decrypt(receiver, message, IMMEDIATE)).isEqualTo(length);
            assertThat(Arrays.copyOf(content, length)).isEqualTo(plain);
        }
    }

    /** The construction that the documentation states, computed with the JDK alone. */
    @Test
    void shouldUseTheNumberAsNonceAndTheImmediateDataAsAdditionalData() throws Exception {
        encrypt(sender, bytes(1));
        byte[] second = encrypt(sender, bytes(40));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, KEY.aes(THERE + " 0"), new GCMParameterSpec(128, new byte[] {
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
        }));
        cipher.updateAAD(new byte[] {(byte) 0x81, 2, 3, 4});
        assertThat(cipher.doFinal(second)).isEqualTo(bytes(40));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 33})
    void shouldRefuseEachChangedBit(int length) {
        byte[] message = encrypt(sender, bytes(length));
        for (int bit = 0; bit < message.length * Byte.SIZE; bit++) {
            byte[] changed = message.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertRefused(receiver(KEY, THERE), changed, IMMEDIATE);
        }
        assertThat(decrypt(receiver, message, IMMEDIATE)).isEqualTo(length);
    }

    @Test
    void shouldRefuseEachChangedBitOfTheImmediateData() {
        byte[] message = encrypt(sender, bytes(7));
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            assertRefused(receiver(KEY, THERE), message, IMMEDIATE ^ 1 << bit);
        }
    }

    @Test
    void shouldRefuseAShorterAndALongerMessage() {
        byte[] message = encrypt(sender, bytes(20));
        for (int length = 0; length <= 2 * message.length; length++) {
            if (length != message.length) {
                assertRefused(receiver(KEY, THERE), Arrays.copyOf(message, length), IMMEDIATE);
            }
        }
    }

    @Test
    void shouldRefuseARepeatedMessage() {
        byte[] message = encrypt(sender, bytes(5));
        assertThat(decrypt(receiver, message, IMMEDIATE)).isEqualTo(5);
        assertRefused(receiver, message, IMMEDIATE);
    }

    @Test
    void shouldRefuseALaterMessageInPlaceOfTheNext() {
        encrypt(sender, bytes(5));
        assertRefused(receiver, encrypt(sender, bytes(5)), IMMEDIATE);
    }

    @Test
    void shouldRefuseTheOtherDirectionsAndOtherConnectionsMessages() {
        assertRefused(receiver, encrypt(sender(KEY, "back"), bytes(5)), IMMEDIATE);
        byte[] other = new byte[32];
        other[0] = 1;
        assertRefused(receiver(KEY, THERE), encrypt(sender(ConnectionKey.of(other), THERE), bytes(5)), IMMEDIATE);
    }

    @Test
    void shouldDecryptNothingAfterItsEnd() {
        byte[] message = encrypt(sender, bytes(5));
        assertThat(receiver.end()).isTrue();
        assertThat(receiver.end()).isFalse();
        assertRefused(receiver, message, IMMEDIATE);
    }

    @Test
    void shouldChangeTheKeyBeforeItHasEncryptedTooMuch() {
        GcmDirection few = new GcmDirection(Cipher.ENCRYPT_MODE, KEY, THERE, 8, 0);
        ReceiveCipher same = new ReceiveCipher(new GcmDirection(Cipher.DECRYPT_MODE, KEY, THERE, 8, 0));
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            int length = random.nextInt(200); // also more than a key's share: then the key has one message
            assertThat(decrypt(same, encrypt(few, bytes(length)), IMMEDIATE)).isEqualTo(length);
        }
        assertThat(few.keys()).isBetween(400, 1000);
    }

    /** In all ways in which a sender can use it, each pair of key and nonce comes once. */
    @Test
    void shouldUseNoNonceTwice() {
        Random random = new Random(1);
        GcmDirection direction = new GcmDirection(Cipher.ENCRYPT_MODE, KEY, THERE, 1000, 0);
        Set<String> used = new HashSet<>();
        byte[] same = new byte[16];
        for (int i = 0; i < 5000; i++) {
            try {
                Cipher cipher = direction.begin(0, random.nextInt(200));
                String keyStream = Arrays.toString(random.nextBoolean() ? cipher.update(same) : cipher.doFinal(same));
                assertThat(used.add(keyStream.substring(0, 40))).isTrue();
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(direction.messages()).isEqualTo(5000);
    }

    @Test
    void shouldEndWithTheLastNumber() {
        GcmDirection last = new GcmDirection(Cipher.ENCRYPT_MODE, KEY, THERE, 1000, Long.MAX_VALUE - 1);
        encrypt(last, bytes(1));
        assertThatThrownBy(() -> encrypt(last, bytes(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("used up");
    }
}
