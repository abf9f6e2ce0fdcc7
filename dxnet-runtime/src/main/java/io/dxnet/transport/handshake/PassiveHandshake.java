package io.dxnet.transport.handshake;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.handshake.HandshakeLog.Cause;
import io.dxnet.transport.security.KeySecurity;
import io.dxnet.transport.security.TlsSecurity;
import io.dxnet.transport.tls.ByteStream;
import io.dxnet.transport.tls.TlsChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/**
 * An accepted channel until its handshake is done: reads the hello, decides, answers,
 * and hands the channel over to the transport or closes it. The acceptor's thread only.
 */
final class PassiveHandshake {
    private enum State {
        /** The TLS handshake is not done. */
        SECURING,
        /** The hello is not complete. */
        READING,
        /**
         * The hello is good, but the transport can't accept it yet: mostly,
         * an older connection has not ended.
         */
        WAITING,
        /**
         * The refusal is sent; closing before the other node has read it could
         * destroy it on the way.
         */
        REFUSED,
        /** Nothing to do any more. */
        DONE
    }

    private static final String ANSWERING = "answering the handshake failed";

    private final Acceptor acceptor;
    private final ByteStream channel;
    private final InetAddress source;
    private final long deadlineNs;
    private final HelloReader reader;
    private final @Nullable PassiveProof proof; // null: other nodes prove nothing

    @SuppressWarnings("NullAway.Init") // by register()
    private SelectionKey key;

    @SuppressWarnings("NullAway.Init") // by await()
    private Admission.Later later; // WAITING

    private State state;

    PassiveHandshake(Acceptor acceptor, ByteStream channel, long deadlineNs) throws IOException {
        this.acceptor = acceptor;
        this.channel = channel;
        this.state = channel.tls() == null ? State.READING : State.SECURING;
        this.source = ((InetSocketAddress) channel.socket().getRemoteAddress()).getAddress();
        this.deadlineNs = deadlineNs;
        this.reader = new HelloReader(HandshakeDescriptor.mode(acceptor.security()));
        this.proof = acceptor.security() instanceof KeySecurity key ? new PassiveProof(key) : null;
    }

    void register(Selector selector) throws ClosedChannelException {
        key = channel.socket().register(selector, SelectionKey.OP_READ, this);
    }

    /** {@return the address that it came from} */
    InetAddress source() {
        return source;
    }

    /** {@return the acceptor's running time at which it ends} */
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
            case SECURING -> secure();
            case READING -> read();
            case REFUSED -> discard();
            case WAITING, DONE -> {
                // not interested in reading
            }
        }
    }

    @SuppressWarnings("NullAway") // SECURING is the state of a channel under TLS
    private void secure() {
        try {
            switch (channel.tls().handshake()) {
                case READ -> key.interestOps(SelectionKey.OP_READ);
                case WRITE -> key.interestOps(SelectionKey.OP_WRITE);
                case DONE -> {
                    key.interestOps(SelectionKey.OP_READ);
                    state = State.READING;
                    read();
                }
            }
        } catch (IOException e) {
            report(Cause.NOT_AUTHENTIC, "the TLS handshake failed: " + Channels.describe(e));
            drop();
        }
    }

    private void read() {
        HelloReader.State read;
        try {
            int bytes;
            do {
                bytes = channel.read(reader.bytes());
                read = reader.check();
                if (read == HelloReader.State.CHALLENGE) {
                    answerChallenge();
                    read = HelloReader.State.INCOMPLETE;
                }
            } while (bytes > 0 && read == HelloReader.State.INCOMPLETE);
            if (bytes < 0 && read == HelloReader.State.INCOMPLETE) {
                report(
                        reader.count() == 0 ? Cause.HUNG_UP_SILENTLY : Cause.HUNG_UP,
                        "it hung up after " + reader.count() + " bytes of the handshake");
                drop();
                return;
            }
        } catch (IOException e) {
            report(Cause.HUNG_UP, "reading the handshake failed: " + Channels.describe(e));
            drop();
            return;
        }
        switch (read) {
            case INCOMPLETE, CHALLENGE -> {
                // later
            }
            case GARBAGE -> {
                report(Cause.NOT_DXNET, "what it sent is not a DXNet handshake");
                drop();
            }
            case WRONG_VERSION ->
                refuse(
                        Cause.WRONG_VERSION,
                        "it speaks protocol version " + reader.version() + ", this node version "
                                + HandshakeDescriptor.VERSION);
            case WRONG_MODE ->
                refuse(
                        Cause.WRONG_MODE,
                        "its mode of security is another one than this node's "
                                + acceptor.security().describe(),
                        Reply.refusing("security differs: it must be equal on all nodes"));
            case COMPLETE -> proved();
        }
    }

    @SuppressWarnings("NullAway") // a challenge comes only where there is a proof
    private void answerChallenge() throws IOException {
        write(ByteBuffer.wrap(proof.answer(reader.challenge())));
        reader.expectHello();
    }

    /** The hello is complete: decides about it, if its proof is good. */
    private void proved() {
        if (proof != null) {
            if (!proof.accept(reader.helloBytes(), reader.proof())) {
                refuse(
                        Cause.NOT_PROVED,
                        "it did not prove that it has the cluster's key",
                        Reply.refusing(PassiveProof.REFUSED));
                return;
            }
            acceptor.admission().proved(reader.hello(), proof.key());
        }
        decide();
    }

    @SuppressWarnings("NullAway") // a refusal has a message
    private void decide() {
        Hello hello = reader.hello();
        if (!isAuthentic(hello)) {
            return;
        }
        Hello.Misfit misfit = hello.misfit(acceptor.ownHello());
        if (misfit != null) {
            refuse(Cause.MISFIT, misfit.detail(), Reply.refusing(misfit.told()));
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
                refuse(e.isExpected() ? Cause.ORDINARY : Cause.NOT_ADMITTED, e.getMessage(), refusal(e, hello));
            }
        } catch (RuntimeException | Error e) {
            acceptor.error("accepting node " + hello.nodeId() + " failed", e);
            if (state == State.DONE) {
                Channels.closeQuietly(channel); // whether the transport has acquired it or not
            } else {
                refuse(Cause.INTERNAL_ERROR, "internal error");
            }
        }
    }

    @SuppressWarnings("NullAway") // each has a message
    private static Reply refusal(RefusedException e, Hello hello) {
        if (e.isEnd()) {
            return Reply.ended(e.getMessage(), hello.listenerConnectionId());
        }
        return e.isStale() ? Reply.stale(e.getMessage()) : Reply.refusing(e.getMessage());
    }

    /** Whether it is the node that the hello claims; if not, it is refused without a reason. */
    private boolean isAuthentic(Hello hello) {
        if (acceptor.security() instanceof TlsSecurity security) {
            TlsChannel tls = channel.tls();
            try {
                if (tls == null) {
                    throw new CertificateException("its channel has no TLS");
                }
                security.check(tls, hello.nodeId());
            } catch (CertificateException e) {
                refuse(Cause.NOT_AUTHENTIC, Channels.describe(e), Reply.refusing("refused"));
                return false;
            }
        }
        return true;
    }

    /** Decides about a node that has waited, unless it has abandoned the handshake meanwhile. */
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
            report(Cause.DID_NOT_WAIT, "it did not wait for the answer");
            drop();
        }
    }

    private void accept(Admission.Accepted accepted) {
        state = State.DONE;
        try {
            key.cancel(); // flushed by the next select, before the channel's end
            writeReply(accepted.reply().get());
        } catch (IOException e) {
            accepted.replyFailed().accept(Channels.failed(ANSWERING, e));
            return;
        } catch (RuntimeException | Error e) {
            accepted.replyFailed().accept(Channels.failed(ANSWERING, e));
            throw e;
        }
        try {
            accepted.replied().run();
        } catch (RuntimeException | Error e) {
            accepted.replyFailed().accept("an error interrupted the opening");
            throw e;
        }
    }

    private void await(Admission.Later soon) {
        later = soon;
        if (state != State.WAITING) {
            state = State.WAITING;
            key.interestOps(0);
        }
    }

    /**
     * Asks the transport again whether it can accept: regularly, and when a connection was closed.
     */
    void retry() {
        if (state == State.WAITING && later.over().getAsBoolean()) {
            decideAgain();
        }
    }

    /** Its time is up, but for what came while the process stood still: that is read first. */
    void expire() {
        ready();
        switch (state) {
            case SECURING -> report(Cause.TOO_SLOW, "the TLS handshake was not done in time");
            case READING ->
                report(Cause.TOO_SLOW, "the handshake was not done in time, " + reader.count() + " bytes of it came");
            case WAITING ->
                refuse(
                        Cause.NOT_ADMITTED,
                        later.reason(),
                        later.refusal() == Reply.Status.STALE
                                ? Reply.stale(later.reason())
                                : Reply.refusing(later.reason()));
            case REFUSED, DONE -> {
                // the other node had the time to read why
            }
        }
        drop();
    }

    /** Makes room for another one. */
    void evict() {
        if (state == State.SECURING) {
            report(Cause.TOO_MANY, "too many handshakes at once"); // a reply would not be a record of TLS
        } else if (state == State.READING || state == State.WAITING) {
            refuse(Cause.TOO_MANY, "too many handshakes at once", Reply.stale("too many handshakes at once"));
        }
        drop(); // without the time to read the reason
    }

    private void report(Cause cause, String detail) {
        acceptor.refused(cause, channel.socket(), detail);
    }

    private void refuse(Cause cause, String reason) {
        refuse(cause, reason, Reply.refusing(reason));
    }

    /**
     * Answers why, and closes once the other node had the time to read it. Not when it is done.
     *
     * @param detail for this node's log
     * @param reply what the other node gets, perhaps a stranger: nothing of what this node is
     */
    private void refuse(Cause cause, String detail, Reply reply) {
        if (cause != Cause.INTERNAL_ERROR) { // has been reported
            report(cause, detail);
        }
        try {
            writeReply(reply);
            channel.endOutput();
            key.interestOps(SelectionKey.OP_READ);
            state = State.REFUSED;
            discard();
        } catch (IOException e) {
            drop();
        }
    }

    private void writeReply(Reply reply) throws IOException {
        write(proof == null ? reply.encode() : proof.seal(reply));
    }

    private void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
        if (bytes.hasRemaining() || !channel.isFlushed()) {
            // At most two kilobytes, as the first data ever.
            throw new IOException("the socket accepts no data");
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
