package io.dxnet.attack;

import io.dxnet.contract.RawPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * One handshake of an opening node that does not keep to the protocol: the messages of a recorded
 * one, some of them changed, cut, repeated, left out, in another order, or garbage.
 */
final class FuzzedHandshake {
    private static final int CHANGES_MAX = 4;
    private static final int GARBAGE_MAX = 300;

    private FuzzedHandshake() {}

    /**
     * Sends one, then ends its direction. Where it begins with the whole first message, it may wait
     * for the answer.
     */
    static void send(AttackFixture.Opener recorded, Protection mode, Random random, RawPeer peer) {
        List<byte[]> messages = messages(recorded, random);
        boolean isAnswered = mode.isOn() && Arrays.equals(messages.getFirst(), recorded.first());
        try {
            for (byte[] message : messages) {
                peer.write(message);
                if (isAnswered && random.nextBoolean() && peer.read() < 0) {
                    return;
                }
                isAnswered = false;
            }
            peer.endOutput();
        } catch (IOException e) {
            // the victim ended it
        }
    }

    private static List<byte[]> messages(AttackFixture.Opener recorded, Random random) {
        List<byte[]> messages = new ArrayList<>();
        int begin = 0;
        for (int end : recorded.ends()) {
            messages.add(Arrays.copyOfRange(recorded.bytes(), begin, end));
            begin = end;
        }
        int changes = random.nextInt(1, CHANGES_MAX + 1);
        for (int i = 0; i < changes; i++) {
            change(messages, random.nextInt(messages.size()), random);
        }
        return messages;
    }

    private static void change(List<byte[]> messages, int index, Random random) {
        byte[] message = messages.get(index);
        int at = random.nextInt(message.length + 1);
        switch (random.nextInt(7)) {
            case 0 -> messages.set(index, Arrays.copyOf(message, at));
            case 1 -> messages.add(index, garbage(random));
            case 2 -> messages.set(index, garbage(random));
            case 3 -> messages.add(message);
            case 4 -> Collections.shuffle(messages, random);
            case 5 ->
                messages.set(
                        index,
                        joined(
                                Arrays.copyOf(message, at),
                                garbage(random),
                                Arrays.copyOfRange(message, at, message.length)));
            default -> messages.set(index, withChangedBytes(message, random));
        }
    }

    private static byte[] garbage(Random random) {
        byte[] garbage = new byte[random.nextInt(1, GARBAGE_MAX)];
        random.nextBytes(garbage);
        return garbage;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] withChangedBytes(byte[] message, Random random) {
        byte[] changed = message.clone();
        for (int i = random.nextInt(1, CHANGES_MAX); changed.length > 0 && i > 0; i--) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }
}
