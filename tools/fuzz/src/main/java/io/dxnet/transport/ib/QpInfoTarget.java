package io.dxnet.transport.ib;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The queue pair's data in a hello and a reply. */
public final class QpInfoTarget implements FuzzTarget {
    /** Creates the target. */
    public QpInfoTarget() {}

    @Override
    public String name() {
        return "qp-info";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] gid = new byte[16];
        gid[15] = 1;
        return List.of(
                new QpInfo(new QpAddress(17, 0xABCDEF, 3, Gid.of(new byte[16])), 4096, 1 << 20, 2000).encode(),
                new QpInfo(new QpAddress(0xFFFFFF, 0, 0, Gid.of(gid)), 1024, 1, 1).encode(),
                new QpInfo(
                                new QpAddress(17, 0xABCDEF, 3, Gid.of(gid)),
                                4096,
                                1 << 16,
                                2000,
                                KeyPart.read(ByteBuffer.allocate(KeyPart.BYTES)))
                        .encode());
    }

    @Override
    public void run(byte[] input) {
        QpInfo info;
        try {
            info = QpInfo.decode(input);
        } catch (IOException e) {
            return; // as documented
        }
        if (!Arrays.equals(info.encode(), input)) {
            throw new AssertionError("it encodes to other bytes: " + info);
        }
    }
}
