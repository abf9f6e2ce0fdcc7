package io.dxnet.transport.nio;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.connection.Interest;
import io.dxnet.transport.connection.PairedAgent;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The selector thread's work (DXNet §XI, Figure 9): applies the posted interests, then asks the
 * selector and reads and writes what is ready.
 */
final class SelectorAgent extends PairedAgent<NioConnection> {
    private static final int SCRATCH_BYTES = 16 << 10;

    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private SelectionKey[] stash = new SelectionKey[64]; // found by a wait, for the next cycle
    private int stashed;

    SelectorAgent(TransportContext context, Connections<NioConnection> connections, NioOptions options) {
        super(context, connections, options.lingerMs(), SCRATCH_BYTES);
    }

    @Override
    public String role() {
        return "selector";
    }

    @Override
    protected boolean hasWork() {
        return !mayPark() || select(0) > 0;
    }

    @Override
    public boolean mayPark() {
        return isIdle() && stashed == 0;
    }

    @Override
    protected void ready(SelectionKey key) {
        if (stashed == stash.length) {
            stash = Arrays.copyOf(stash, stashed * 2);
        }
        stash[stashed++] = key;
    }

    @Override
    protected int poll() throws IOException {
        int count = stashed;
        if (count == 0) {
            return selector.selectNow(dispatch);
        }
        stashed = 0;
        for (int i = 0; i < count; i++) {
            SelectionKey key = stash[i];
            stash[i] = null;
            dispatch(key);
        }
        return count;
    }

    /** In the paper's order: first open, then flow control, then data. */
    @Override
    protected void apply(NioConnection c, int bits) throws IOException {
        OutgoingPipe outgoing = c.outgoing();
        IncomingPipe incoming = c.incoming();
        boolean usable = c.state() != ConnectionState.LOST;
        if (outgoing != null) {
            open(outgoing, bits, usable);
        }
        if (incoming != null && incoming.isOpen()) {
            open(incoming, bits, usable);
        }
        // With OPENED: what was posted before the channel was registered.
        if ((bits & (Interest.FLOW_CONTROL | Interest.OPENED)) != 0 && incoming != null && usable) {
            incoming.writeFlowControl(scratch);
        }
        if ((bits & Interest.WRITE) != 0 && outgoing != null && usable) {
            send(outgoing);
        }
    }

    private void open(Pipe pipe, int bits, boolean usable) throws IOException {
        if ((bits & Interest.OPENED) != 0) {
            pipe.channel().register(selector, pipe);
        }
        if ((bits & (Interest.OPENED | Interest.READ)) != 0 && usable) {
            pipe.readBuffered(scratch);
        }
    }

    private void dispatch(SelectionKey key) {
        if (!key.isValid()) {
            return; // closed in this very round
        }
        Pipe pipe = (Pipe) key.attachment();
        NioConnection c = pipe.owner();
        try {
            if (c.isLingering()) {
                pipe.discard(scratch);
            } else {
                pipe.ready(key.readyOps(), scratch);
            }
        } catch (IOException | RuntimeException e) {
            broken(c, e);
        }
    }
}
