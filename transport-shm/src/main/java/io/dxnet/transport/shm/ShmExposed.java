package io.dxnet.transport.shm;

import io.dxnet.DXNetException;
import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A segment in shared pages: each attached node has a gate. Any thread. */
final class ShmExposed implements ExposedMemory {
    /** A copy of a piece is much shorter, unless its process is stopped or was killed amid it. */
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** So many of them, 10 s, for processes that are alive. A pause of this process is one. */
    private static final int WAITS_MAX = 100;

    private final SharedPages pages;
    private final ProcessIdentity process;
    private final long offset; // in the pages' memory
    private final long length;
    private final List<Gated> grants = new ArrayList<>(); // under the monitor

    ShmExposed(SharedPages pages, ProcessIdentity process, MemorySegment segment) {
        this.pages = pages;
        this.process = process;
        this.offset = pages.offset(segment);
        this.length = segment.byteSize();
    }

    @Override
    public synchronized Grant grant(int node, Set<Right> rights, byte[] request) throws DXNetException {
        ProcessIdentity peer = ProcessIdentity.decode(request);
        if (peer == null || !peer.namespace().equals(process.namespace())) {
            throw new DXNetException(
                    "node " + node + " does not see this process: its container has other process ids");
        }
        Gated grant = new Gated(node, peer, pages.acquireGate());
        grants.add(grant);
        return grant;
    }

    @Override
    public void close() {
        List<Gated> all;
        synchronized (this) {
            all = List.copyOf(grants);
        }
        all.forEach(Gated::end); // none continues while another one is waited for
        AtomicInteger waits = new AtomicInteger();
        IllegalStateException stuck = null;
        for (Gated each : all) {
            try {
                each.close(waits);
            } catch (IllegalStateException e) { // the others are to be closed all the same
                stuck = stuck == null ? e : stuck;
            }
        }
        if (stuck != null) {
            throw stuck;
        }
    }

    /** One node's access. */
    private final class Gated implements Grant {
        private final int node;
        private final ProcessIdentity peer;
        private final int index;
        private final SharedGate gate;
        private boolean isClosed; // under the monitor, as the next
        private boolean isStuck; // it was waited for in full

        Gated(int node, ProcessIdentity peer, int index) throws DXNetException {
            this.node = node;
            this.peer = peer;
            this.index = index;
            this.gate = pages.open(index);
        }

        @Override
        public byte[] reply() {
            return new PageGrant(
                            pages.fileBytes(),
                            PageLayout.MEMORY_OFFSET + offset,
                            length,
                            process.startTicks(),
                            index,
                            gate.generation(),
                            pages.name())
                    .encode();
        }

        /** No thread passes from now on. */
        void end() {
            gate.close();
        }

        @Override
        public void close() {
            close(new AtomicInteger());
        }

        /**
         * Waits until no thread is inside.
         *
         * @param waits of all that are closed together
         */
        private synchronized void close(AtomicInteger waits) {
            if (isClosed) {
                return;
            }
            end();
            while (!gate.awaitEmpty(WAIT_NS) && peer.isAlive()) {
                if (isStuck || waits.incrementAndGet() >= WAITS_MAX) {
                    isStuck = true;
                    throw new IllegalStateException("a copy of node " + node
                            + " to or from shared memory is not over in 10 s: its process is stopped");
                }
            }
            isClosed = true;
            pages.releaseGate(index);
            synchronized (ShmExposed.this) {
                grants.remove(this);
            }
        }
    }
}
