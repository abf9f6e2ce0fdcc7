package io.dxnet.transport.handshake;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The listener's reply as a connector reads it. */
public final class ReplyTarget implements FuzzTarget {
    /** Creates the target. */
    public ReplyTarget() {}

    @Override
    public String name() {
        return "reply";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                Reply.accepting(8, 9, new byte[0]).encode().array(),
                Reply.accepting(8, 9, new byte[36]).encode().array(),
                Reply.accepting(-1, Long.MAX_VALUE, new byte[1024]).encode().array(),
                Reply.refusing("it belongs to another cluster").encode().array(),
                Reply.refusing("\u20ac".repeat(1000)).encode().array());
    }

    @Override
    public void run(byte[] input) throws IOException {
        Reply reply;
        try {
            reply = read(input);
        } catch (IOException e) {
            return; // as documented
        }
        Hello.printable(reply.reason(), 256);
        Reply again = read(reply.encode().array());
        boolean same = again.accepted() == reply.accepted()
                && again.incarnation() == reply.incarnation()
                && again.connectionId() == reply.connectionId()
                && Arrays.equals(again.payload(), reply.payload())
                && reply.reason().startsWith(again.reason()); // longer where bytes were not UTF-8
        if (!same) {
            throw new AssertionError(reply + " became " + again);
        }
    }

    private static Reply read(byte[] input) throws IOException {
        int[] at = {0};
        return Reply.read(part -> {
            if (part.length > input.length - at[0]) {
                throw new EOFException();
            }
            System.arraycopy(input, at[0], part, 0, part.length);
            at[0] += part.length;
        });
    }
}
