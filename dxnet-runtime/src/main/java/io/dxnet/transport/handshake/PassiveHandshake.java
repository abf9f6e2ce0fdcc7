package io.dxnet.transport.handshake;

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
 * transport or closes it. The acceptor's thread only.
 */
final class PassiveHandshake {
    private enum State {
        /** The hello is not complete. */
        READING,
        /** The hello is good, but the transport can't take it yet: mostly, an older connection has not ended. */
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
    private Admission.Later later; // WAITING
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
        String refusal = hello.refusal(acceptor.ownHello());
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        try {
            switch (acceptor.admission().open(hello, channel)) {
                case Admission.Accepted accepted -> accept(accepted);
                case Admission.Later soon -> await(soon);
            }
        } catch (RefusedException e) {
            if (e.isTemporary()) {
                await(new Admission.Later(e.getMessage()));
            } else {
                refuse(e.isExpected() ? Level.DEBUG : Level.WARNING, e.getMessage());
            }
        } catch (RuntimeException e) {
            context.error("accepting node " + hello.nodeId() + " failed", e);
            if (state != State.DONE) {
                refuse("internal error: " + e);
            }
        }
    }

    /** Who waited may have given up meanwhile: then there is nobody to accept. */
    private void decideAgain() {
        int bytes;
        try {
            bytes = channel.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            bytes = -1;
        }
        if (bytes == 0) {
            decide();
        } else {
            acceptor.log(Level.DEBUG, channel, "it did not wait for the answer");
            drop();
        }
    }

    private void accept(Admission.Accepted accepted) {
        state = State.DONE;
        key.cancel(); // flushed by the next select, before the channel's end
        try {
            writeReply(accepted.reply());
        } catch (IOException e) {
            accepted.replyFailed("answering the handshake failed: " + Channels.describe(e));
            return;
        }
        accepted.replied();
    }

    private void await(Admission.Later soon) {
        later = soon;
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
                    refuse(later.reason());
                } else if (later.over().getAsBoolean()) {
                    decideAgain();
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
        refuse(Level.WARNING, reason);
    }

    private void refuse(Level level, String reason) {
        acceptor.log(level, channel, reason);
        try {
            writeReply(Reply.refusing(acceptor.context().incarnation(), reason));
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
            throw new IOException("the socket takes no data"); // at most two kilobytes, as the first data ever
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
