package io.dxnet.transport.ib;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;

/**
 * The incoming ring buffer (IRB, Ibdxnet §7.2.4): received buffers until the engine's queue accepts
 * them, in order for each connection. A connection whose buffer is refused keeps its own buffers
 * here and holds up no other one. The receiving agent only. Bounded: when there is no room for
 * another batch, nothing is polled.
 */
final class IncomingRing {
    private final TransportContext context;
    private final IbConnection[] connections;
    private final IncomingBuffer[] buffers;
    private final int mask;
    private int front;
    private int back;
    private long pass; // over the buffers behind a refused one

    IncomingRing(TransportContext context, int entriesMin) {
        int entries = Integer.highestOneBit(Math.max(2, entriesMin) - 1) << 1;
        this.context = context;
        this.connections = new IbConnection[entries];
        this.buffers = new IncomingBuffer[entries];
        this.mask = entries - 1;
    }

    int room() {
        return buffers.length - (back - front);
    }

    boolean isEmpty() {
        return front == back;
    }

    void push(IbConnection from, IncomingBuffer buffer) {
        if (room() == 0) {
            throw new IllegalStateException("the incoming ring buffer is full");
        }
        connections[back & mask] = from;
        buffers[back & mask] = buffer;
        back++;
    }

    /**
     * Hands over what the engine accepts, of each connection up to its first refused buffer;
     * returns how many buffers left.
     */
    int dispatch() {
        int count = 0;
        while (front != back) {
            int at = front & mask;
            if (!handOver(at)) {
                return count + dispatchOthers();
            }
            front++;
            count++;
        }
        return count;
    }

    /** Hands one buffer over; false when the engine refuses it. */
    private boolean handOver(int at) {
        IbConnection from = connections[at];
        if (buffers[at] == null) {
            return true; // handed over in a pass that an error of the engine ended
        }
        if (from == null) {
            buffers[at].giveBack(); // its connection has ended
        } else if (!context.offer(from.connection(), buffers[at])) {
            return false;
        }
        connections[at] = null;
        buffers[at] = null;
        return true;
    }

    /**
     * The first buffer is refused: hands over those of other connections behind it. What stays
     * moves together, because gaps would fill the ring with what has left it.
     */
    private int dispatchOthers() {
        pass++;
        int kept = front;
        connections[kept & mask].refused(pass);
        kept++;
        for (int i = kept; i != back; i++) {
            int at = i & mask;
            IbConnection from = connections[at];
            if ((from == null || !from.wasRefused(pass)) && handOver(at)) {
                continue;
            }
            from.refused(pass);
            if (kept != i) {
                connections[kept & mask] = from;
                buffers[kept & mask] = buffers[at];
                connections[at] = null;
                buffers[at] = null;
            }
            kept++;
        }
        int count = back - kept;
        back = kept;
        return count;
    }

    /** Whether buffers of that connection wait. */
    boolean holds(IbConnection connection) {
        for (int i = front; i != back; i++) {
            if (connections[i & mask] == connection) {
                return true;
            }
        }
        return false;
    }

    /** Forgets what is left of a connection. */
    void purge(IbConnection connection) {
        for (int i = front; i != back; i++) {
            if (connections[i & mask] == connection) {
                connections[i & mask] = null;
            }
        }
    }

    /** Returns all buffers. */
    void clear() {
        for (; front != back; front++) {
            if (buffers[front & mask] != null) {
                buffers[front & mask].giveBack();
            }
            connections[front & mask] = null;
            buffers[front & mask] = null;
        }
    }
}
