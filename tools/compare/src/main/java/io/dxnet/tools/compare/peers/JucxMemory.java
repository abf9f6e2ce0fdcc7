package io.dxnet.tools.compare.peers;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRemoteKey;

/** Memory that UCX allocated, which others access. */
record JucxMemory(UcpMemory memory) implements Closeable {
    /**
     * The same, where it is accessed from.
     *
     * @param address in the other process
     * @param key for it, from that process
     */
    record Remote(long address, UcpRemoteKey key) {
        /** The inverse of {@link JucxMemory#address}. */
        static Remote of(UcpEndpoint endpoint, String text) {
            String[] words = text.split(" ");
            byte[] key = HexFormat.of().parseHex(words[1]);
            ByteBuffer direct = ByteBuffer.allocateDirect(key.length).put(key).flip();
            return new Remote(Long.parseLong(words[0]), endpoint.unpackRemoteKey(direct));
        }
    }

    /** Two words. */
    String address() {
        ByteBuffer key = memory.getRemoteKeyBuffer();
        byte[] bytes = new byte[key.remaining()];
        key.get(bytes);
        return memory.getAddress() + " " + HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
