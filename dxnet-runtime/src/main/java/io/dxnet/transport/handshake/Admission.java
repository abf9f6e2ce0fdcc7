package io.dxnet.transport.handshake;

import io.dxnet.transport.RefusedException;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;

/** What a transport decides about a handshake. The acceptor's thread only; nothing here may block for long. */
public interface Admission {
    /**
     * The transport's name: a node with another one is refused.
     *
     * @return as in {@link io.dxnet.transport.TransportProvider#name}, at most 16 bytes of UTF-8
     */
    String transport();

    /**
     * Another node, which fits to this one, asks for its direction to be opened.
     *
     * @param hello what it said
     * @param channel in non-blocking mode; the transport's only once it is accepted
     * @return accepted, or later
     * @throws RefusedException to refuse it; a temporary refusal is asked for again, like {@link Later}, as long as the
     *     handshake may last
     */
    Decision open(Hello hello, SocketChannel channel) throws RefusedException;

    /** What was decided. */
    sealed interface Decision permits Accepted, Later {}

    /** It is open, but for the reply. Exactly one of the two calls follows at once. */
    non-sealed interface Accepted extends Decision {
        /**
         * What the other node is answered.
         *
         * @return an accepting reply
         */
        Reply reply();

        /** The reply is written and the acceptor has let go of the channel: it is the transport's. */
        void replied();

        /**
         * The reply could not be written; the acceptor has let go of the channel, and the transport must close it.
         *
         * @param detail what happened, in words
         */
        void replyFailed(String detail);
    }

    /**
     * Not now: the handshake is asked for again when {@code over} says so, until its time is up; then it is refused.
     *
     * @param reason what the other node is told when the time is up
     * @param over whether to ask again; looked at regularly, and at {@link Acceptor#connectionClosed}
     * @param refusal what it is then: {@link Reply.Status#STALE} where the other node is there and may try again at once
     */
    record Later(String reason, BooleanSupplier over, Reply.Status refusal) implements Decision {
        /**
         * For the end of a connection.
         *
         * @param reason what the other node is told when the time is up
         * @param over whether to ask again
         */
        public Later(String reason, BooleanSupplier over) {
            this(reason, over, Reply.Status.STALE);
        }

        /**
         * Asks again regularly.
         *
         * @param reason what the other node is told when the time is up
         */
        public Later(String reason) {
            this(reason, () -> true, Reply.Status.REFUSED);
        }
    }
}
