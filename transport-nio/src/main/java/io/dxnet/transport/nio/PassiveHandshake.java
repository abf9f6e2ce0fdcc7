package io.dxnet.transport.nio;

import io.dxnet.transport.Connection;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * An accepted channel until its handshake is done: reads the hello, decides, answers, and hands the channel over to the
 * selector agent or closes it. The acceptor's thread only.
 */
final class PassiveHandshake {
    private enum State {
        /** The hello is not complete. */
        READING,
        /** The hello is good, but the engine has not yet closed an older connection to that node. */
        WAITING,
        /** The refusal is sent; closing before the other node has read it could destroy it on the way. */
        REFUSED,
        /** Nothing to do any more. */
        DONE
    }

    private final Acceptor acceptor;
    private final SocketChannel channel;
    private final long deadlineNs;
    private final HelloReader reader = new HelloReader();
    private SelectionKey key;
    private Hello hello;
    private NioConnection predecessor; // WAITING: for its end; null: the engine asked for time
    private String waitsFor; // WAITING
    private State state = State.READING;

    PassiveHandshake(Acceptor acceptor, SocketChannel channel, long deadlineNs) {
        this.acceptor = acceptor;
        this.channel = channel;
        this.deadlineNs = deadlineNs;
    }

    void register(Selector selector) throws ClosedChannelException {
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    long deadlineNs() {
        return deadlineNs;
    }

    boolean waiting() {
        return state == State.WAITING;
    }

    boolean done() {
        return state == State.DONE;
    }

    /** The channel has something to read, perhaps. */
    void ready() {
        switch (state) {
            case READING -> read();
            case REFUSED -> discard();
            case WAITING, DONE -> {
                // not interested in reading
            }
        }
    }

    private void read() {
        HelloReader.State read;
        try {
            int bytes;
            do {
                bytes = channel.read(reader.bytes());
                read = reader.check();
            } while (bytes > 0 && read == HelloReader.State.INCOMPLETE);
            if (bytes < 0 && read == HelloReader.State.INCOMPLETE) {
                // Nothing at all is what port scanners and health checks send: not worth a warning.
                acceptor.log(
                        reader.count() == 0 ? Level.DEBUG : Level.WARNING,
                        channel,
                        "it hung up after " + reader.count() + " bytes of the handshake");
                drop();
                return;
            }
        } catch (IOException e) {
            acceptor.log(Level.WARNING, channel, "reading the handshake failed: " + Channels.describe(e));
            drop();
            return;
        }
        switch (read) {
            case INCOMPLETE -> {
                // later
            }
            case GARBAGE -> {
                acceptor.log(Level.WARNING, channel, "what it sent is not a DXNet handshake");
                drop();
            }
            case WRONG_VERSION ->
                refuse("it speaks protocol version " + reader.version() + ", this node version "
                        + HandshakeDescriptor.VERSION);
            case COMPLETE -> {
                hello = Hello.decode(reader.bytes());
                decide();
            }
        }
    }

    private void decide() {
        TransportContext context = acceptor.context();
        int own = context.nodeMap().ownNodeId();
        String refusal = hello.refusal(Hello.of(context.config(), own, own, context.incarnation(), 1, 0));
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        try {
            open(context);
        } catch (RefusedException e) {
            if (e.isTemporary()) {
                await(null, e.getMessage());
            } else {
                refuse(e.getMessage());
            }
        } catch (RuntimeException e) {
            context.error("accepting node " + hello.nodeId() + " failed", e);
            refuse("internal error: " + e);
        }
    }

    private void open(TransportContext context) throws RefusedException {
        NioConnection expected = null;
        for (NioConnection c = acceptor.transport().first(hello.nodeId()); c != null; c = c.next) {
            if (c.id() == hello.listenerConnectionId()) {
                expected = c;
            } else if (c.isSupersededBy(hello)) {
                // The other node would not make a new one if it still had the old one.
                c.fail("node " + hello.nodeId() + " opened a new connection");
                awaitEnd(c);
                return;
            } else if (c.isOfAnotherRunThan(hello)) {
                // The engine knows the other run only by what it opened itself; this one is perhaps all that we opened.
                throw new RefusedException(
                        "node id " + hello.nodeId()
                                + " is in use by another running node (or by one whose end was not noticed yet)",
                        true);
            }
        }
        if (hello.listenerConnectionId() != 0
                && (expected == null || expected.closeMode() != NioConnection.CloseMode.OPEN)) {
            throw new RefusedException("the connection that it belongs to has ended");
        }
        Connection connection =
                context.incoming(hello.nodeId(), hello.incarnation(), expected == null ? null : expected.connection());
        NioConnection c = acceptor.transport().state(connection);
        NioConnection.Attached attached = c.attachIncoming(channel, hello, context);
        if (attached != NioConnection.Attached.YES) {
            context.incomingFailed(connection);
        }
        switch (attached) {
            case OUTDATED -> throw new RefusedException("the connection that it belongs to has ended");
            case STALE -> {
                c.fail("node " + hello.nodeId() + " opened a new connection");
                awaitEnd(c);
            }
            case CLOSED -> awaitEnd(c);
            case YES -> {
                state = State.DONE;
                key.cancel(); // flushed by the next select, before the channel's end
                try {
                    writeReply(new Reply(true, context.incarnation(), c.id(), ""));
                } catch (IOException e) {
                    c.fail("answering the handshake failed: " + Channels.describe(e));
                }
                context.incomingReady(connection);
                c.post(Interest.READ);
            }
        }
    }

    private void awaitEnd(NioConnection c) {
        await(c, "the previous connection of node " + hello.nodeId() + " has not ended yet: try again");
    }

    private void await(NioConnection c, String reason) {
        predecessor = c;
        waitsFor = reason;
        if (state != State.WAITING) {
            state = State.WAITING;
            key.interestOps(0);
        }
    }

    /** Regularly, and when a connection was closed. */
    void visit(long nowNs) {
        boolean late = nowNs - deadlineNs >= 0;
        switch (state) {
            case READING -> {
                if (late) {
                    acceptor.log(
                            Level.WARNING,
                            channel,
                            "the handshake took too long, " + reader.count() + " bytes of it came");
                    drop();
                }
            }
            case WAITING -> {
                if (late) {
                    refuse(waitsFor);
                } else if (predecessor == null || predecessor.closeMode() != NioConnection.CloseMode.OPEN) {
                    decide();
                }
            }
            case REFUSED -> {
                if (late) {
                    drop();
                }
            }
            case DONE -> {
                // the acceptor forgets it
            }
        }
    }

    /** Makes room for another one. */
    void evict() {
        if (state == State.READING || state == State.WAITING) {
            refuse("too many handshakes at once");
        }
        drop(); // without the time to read the reason
    }

    /** Says why, and closes once the other node had the time to read it. Not when it is done. */
    private void refuse(String reason) {
        acceptor.log(Level.WARNING, channel, reason);
        try {
            writeReply(new Reply(false, acceptor.context().incarnation(), 0, reason));
            channel.shutdownOutput();
            key.interestOps(SelectionKey.OP_READ);
            state = State.REFUSED;
            discard();
        } catch (IOException e) {
            drop();
        }
    }

    private void writeReply(Reply reply) throws IOException {
        ByteBuffer bytes = reply.encode();
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("the socket takes no data"); // about a kilobyte, as the first data ever
        }
    }

    private void discard() {
        try {
            ByteBuffer scratch = ByteBuffer.allocate(1024);
            int bytes = 0;
            for (int i = 0; i < 16; i++) {
                bytes = channel.read(scratch.clear());
                if (bytes <= 0) {
                    break;
                }
            }
            if (bytes < 0) {
                drop();
            }
        } catch (IOException e) {
            drop();
        }
    }

    /** Closes at once. */
    void drop() {
        if (state != State.DONE) {
            state = State.DONE;
            Channels.closeQuietly(channel);
        }
    }
}
