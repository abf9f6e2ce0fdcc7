package io.dxnet.tools.example;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.memory.VersionedRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;

/**
 * A table of short texts in the memory of its owner, which other nodes read without the owner's
 * code: its records have versions, so that a reader never gets half of an old text and half
 * of a new one. The readers count their reads in the owner's memory.
 */
final class SharedTable implements AutoCloseable {
    private static final int RECORD_BYTES = 56;
    private static final String TEXTS = "texts";
    private static final String READS = "reads";

    private final DXNet net;
    private final Arena memory = Arena.ofShared();
    private final SharedRegion texts;
    private final SharedRegion reads;
    private final VersionedRegion table;

    /** The owner, with room for some texts. */
    SharedTable(NodeMap nodes, int records) throws DXNetException {
        net = DXNet.builder(nodes).start();
        long recordBytes = 16 + RECORD_BYTES; // version and checksum
        RemoteMemory remote = net.remoteMemory();
        texts = remote.share(
                TEXTS, remote.allocate(memory, records * recordBytes), EnumSet.of(Right.READ), Peers.all());
        reads = remote.share(READS, remote.allocate(memory, Long.BYTES), EnumSet.of(Right.ATOMIC), Peers.all());
        table = texts.versioned(RECORD_BYTES);
    }

    /** Changes a text of up to 55 ASCII characters. One thread at a time. */
    void put(int index, String text) throws DXNetException {
        MemorySegment record = MemorySegment.ofArray(new byte[RECORD_BYTES]);
        record.setString(0, text);
        table.write(index, record);
    }

    /** The reads of all nodes. */
    long reads() {
        return (long) ValueLayout.JAVA_LONG.varHandle().getVolatile(reads.segment(), 0L);
    }

    /** Revokes the access: after that the memory may be freed. */
    @Override
    public void close() {
        texts.close();
        reads.close();
        net.close();
        memory.close();
    }

    /** A node that reads the table of another one. */
    static final class Reader implements AutoCloseable {
        private final DXNet net;
        private final VersionedRegion table;
        private final RemoteRegion reads;

        Reader(NodeMap nodes, int owner) throws DXNetException {
            net = DXNet.builder(nodes).start();
            table = net.remoteMemory().attach(owner, TEXTS).versioned(RECORD_BYTES);
            reads = net.remoteMemory().attach(owner, READS);
        }

        /** A text; empty where there is none yet. */
        String get(int index) throws DXNetException {
            MemorySegment record = MemorySegment.ofArray(new byte[RECORD_BYTES]);
            table.read(index, record);
            reads.fetchAdd(0, 1);
            return record.getString(0);
        }

        @Override
        public void close() {
            net.close();
        }
    }
}
