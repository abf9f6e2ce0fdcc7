package io.dxnet.transport.ib;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;

/**
 * The incoming ring buffer (IRB, Ibdxnet §7.2.4): received buffers, in order, until the engine's queue takes them. The receiving
 * agent only. Bounded: when there is no room for another batch, nothing is polled.
 */
final class IncomingRing {
    private final TransportContext context;
    private final IbConnection[] connections;
    private final IncomingBuffer[] buffers;
    private final int mask;
    private int front;
    private int back;

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

    /** Hands over what the engine takes; returns how many buffers. */
    int dispatch() {
        int count = 0;
        while (front != back) {
            int at = front & mask;
            IbConnection from = connections[at];
            if (from == null) {
                buffers[at].giveBack(); // its connection has ended
            } else if (!context.offer(from.connection(), buffers[at])) {
                break;
            }
            connections[at] = null;
            buffers[at] = null;
            front++;
            count++;
        }
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

    /** Gives everything back. */
    void clear() {
        for (; front != back; front++) {
            buffers[front & mask].giveBack();
            connections[front & mask] = null;
            buffers[front & mask] = null;
        }
    }
}
