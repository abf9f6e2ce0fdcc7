package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import java.nio.ByteBuffer;

/**
 * Accesses memory of the server, from and to a buffer of its own, one operation after the other. A
 * round trip is one operation, to its end. Used by one thread.
 */
abstract class MemoryClient implements PeerClient {
    private final MemoryPeer.Operation operation;
    private final ByteBuffer local;

    MemoryClient(MemoryPeer.Operation operation, int size) {
        this.operation = operation;
        this.local = ByteBuffer.allocateDirect(size);
    }

    /** Native memory of the workload's size. */
    final ByteBuffer local() {
        return local;
    }

    /** Copies the server's memory to {@link #local}. */
    abstract void read() throws Exception;

    /** Copies {@link #local} to the server's memory. */
    abstract void write() throws Exception;

    /** Where payloads are verified, each is written and read back. */
    @Override
    public final void pingPong(PingPong loop) throws Exception {
        int size = local.capacity();
        boolean verify = loop.wants(size);
        while (loop.next()) {
            if (verify) {
                local.put(0, loop.payload());
                write();
                local.put(0, new byte[size]);
                read();
                local.get(0, loop.copy());
            } else if (operation == MemoryPeer.Operation.READ) {
                read();
            } else {
                write();
            }
            loop.answered(size);
        }
    }

    /** Nothing counts what is written: there is no way to measure one way. */
    @Override
    public final Sender sender(int thread) {
        throw new UnsupportedOperationException("memory is accessed in round trips alone");
    }
}
