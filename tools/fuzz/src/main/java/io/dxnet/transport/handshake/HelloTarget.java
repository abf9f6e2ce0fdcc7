package io.dxnet.transport.handshake;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The hello as a listener reads it: in one piece, cut
 * anywhere, and byte by byte, with the same outcome.
 */
public final class HelloTarget implements FuzzTarget {
    private final Hello own = hello("nio", "dxnet", new byte[0]);

    /** Creates the target. */
    public HelloTarget() {}

    private static Hello hello(String transport, String cluster, byte[] payload) {
        DXNetConfig config = DXNetConfig.builder().clusterName(cluster).build();
        return Hello.of(config, transport, 2, 1, 77, 5, 3, payload);
    }

    @Override
    public String name() {
        return "hello";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] notUtf8 = hello("sixteen-bytes-ok", "c", new byte[0]).encode().array();
        Arrays.fill(notUtf8, notUtf8.length - 16, notUtf8.length, (byte) 0xff);
        return List.of(
                own.encode().array(),
                hello("ib", "\u00e9\u20ac", new byte[36]).encode().array(),
                hello("sixteen-bytes-ok", "c".repeat(64), new byte[1024])
                        .encode()
                        .array(),
                notUtf8);
    }

    @Override
    public void run(byte[] input) {
        HelloReader whole = new HelloReader(HandshakeDescriptor.MODE_NONE);
        HelloReader.State state = feed(whole, input, Integer.MAX_VALUE);
        HelloReader bytewise = new HelloReader(HandshakeDescriptor.MODE_NONE);
        if (feed(bytewise, input, 1) != state) {
            throw new AssertionError("cut into bytes it is not " + state);
        }
        if (state != HelloReader.State.COMPLETE) {
            return;
        }
        Hello hello = whole.hello();
        ByteBuffer again = hello.encode();
        if (again.remaining() != whole.count() || !sameBytes(again, input)) {
            throw new AssertionError("it encodes to other bytes: " + hello);
        }
        Hello.Misfit misfit = hello.misfit(own);
        if (misfit != null) {
            Reply.refusing(misfit.told()).encode();
            if (misfit.detail().chars().anyMatch(c -> c < ' ')) {
                throw new AssertionError("the log line is more than one: " + misfit.detail());
            }
        }
    }

    /** All but the two bytes that have no meaning. */
    private static boolean sameBytes(ByteBuffer encoded, byte[] input) {
        for (int i = 0; i < encoded.remaining(); i++) {
            boolean unused =
                    i >= HandshakeDescriptor.CLUSTER_LENGTH_OFFSET + 2 && i < HandshakeDescriptor.HELLO_FIXED_BYTES;
            if (!unused && encoded.get(i) != input[i]) {
                return false;
            }
        }
        return true;
    }

    private static HelloReader.State feed(HelloReader reader, byte[] input, int step) {
        HelloReader.State state = reader.check();
        int at = 0;
        while (state == HelloReader.State.INCOMPLETE && at < input.length) {
            int bytes =
                    Math.min(Math.min(step, input.length - at), reader.bytes().remaining());
            if (bytes == 0) {
                throw new AssertionError("it is incomplete and accepts no byte");
            }
            reader.bytes().put(input, at, bytes);
            at += bytes;
            state = reader.check();
        }
        return state;
    }
}
