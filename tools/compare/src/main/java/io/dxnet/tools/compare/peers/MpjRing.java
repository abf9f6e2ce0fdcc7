package io.dxnet.tools.compare.peers;

import java.io.IOException;

/**
 * Open messages of one thread under one tag, in a ring. A message without bytes means that no more
 * will come; it is sent once for each receive that is still posted.
 */
final class MpjRing {
    /** Open sends, and posted receives. */
    static final int WINDOW = 64;

    private final MpjCalls mpi;
    private final int tag;
    private final byte[][] messages;
    private final Object[] requests = new Object[WINDOW];
    private int slot;

    MpjRing(MpjCalls mpi, int tag, int size) {
        this.mpi = mpi;
        this.tag = tag;
        this.messages = new byte[WINDOW][size];
    }

    /** Sends a copy of a payload. */
    void send(byte[] payload) throws IOException {
        awaitSlot();
        System.arraycopy(payload, 0, messages[slot], 0, payload.length);
        requests[slot] = mpi.isend(messages[slot], payload.length, tag);
        slot = (slot + 1) % WINDOW;
    }

    private void awaitSlot() throws IOException {
        if (requests[slot] != null) {
            mpi.sent(requests[slot]);
            requests[slot] = null;
        }
    }

    /** Sends the end. */
    void end() throws IOException {
        for (int i = 0; i < WINDOW; i++) {
            awaitSlot();
            requests[slot] = mpi.isend(messages[slot], 0, tag);
            slot = (slot + 1) % WINDOW;
        }
        for (int i = 0; i < WINDOW; i++) {
            awaitSlot();
            slot = (slot + 1) % WINDOW;
        }
    }

    /** What becomes of a message that was received. */
    interface Receiver {
        void received(byte[] message, int length) throws IOException;
    }

    /** Receives until the end. */
    void receive(Receiver receiver) throws IOException {
        for (int i = 0; i < WINDOW; i++) {
            requests[i] = mpi.irecv(messages[i], tag);
        }
        for (int ends = 0; ends < WINDOW; slot = (slot + 1) % WINDOW) {
            int length = mpi.received(requests[slot]);
            if (length == 0) {
                ends++;
                continue;
            }
            receiver.received(messages[slot], length);
            requests[slot] = mpi.irecv(messages[slot], tag);
        }
    }
}
