package io.dxnet.transport.handshake;

import io.dxnet.transport.RefusedException;
import io.dxnet.transport.security.ConnectionKey;
import io.dxnet.transport.tls.ByteStream;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A transport's decision about a handshake. The acceptor's thread only;
 * nothing here may block for long.
 */
public interface Admission {
    /**
     * {@return the transport's name, at most 16 bytes of UTF-8: see
     * {@link io.dxnet.transport.TransportProvider#name}} A node with another one is refused.
     */
    String transport();

    /**
     * The other node has proved that it has the cluster's key: called once for a hello, before
     * {@link #open}, and only with {@code security=key}.
     *
     * @param hello what it sent
     * @param key of the connection, which the other node has too
     */
    default void proved(Hello hello, ConnectionKey key) {}

    /**
     * Decides about another node, which fits to this one and asks for its direction to be opened.
     *
     * @param hello what it sent
     * @param channel in non-blocking mode, its TLS handshake done; the transport's only once it
     *     is accepted
     * @return accepted, or later
     * @throws RefusedException to refuse it; a temporary refusal is asked for again,
     *     like {@link Later}, as long as the handshake may last
     */
    Decision open(Hello hello, ByteStream channel) throws RefusedException;

    /** What was decided. */
    sealed interface Decision permits Accepted, Later {}

    /**
     * It is open, but for the reply. After the reply {@code replied} runs at once, or
     * {@code replyFailed}, which runs also after a {@code replied} that threw.
     *
     * @param reply returns the accepting reply for the other node
     * @param replied runs when the reply is written and the acceptor has released the channel:
     *     it is the transport's
     * @param replyFailed accepts what happened, in words, when the reply could not be written, or
     *     {@code replied} threw; the acceptor has released the channel, and the transport must
     *     close it
     */
    record Accepted(Supplier<Reply> reply, Runnable replied, Consumer<String> replyFailed) implements Decision {}

    /**
     * Not now: when {@code over} returns true, the acceptor asks for the handshake again,
     * until its time is up; then it is refused.
     *
     * @param reason what the other node gets when the time is up
     * @param over whether to ask again; called regularly, and
     *     at {@link Acceptor#connectionClosed}
     * @param refusal what it is then: {@link Reply.Status#STALE} where the other
     *     node is there and may try again at once
     */
    record Later(String reason, BooleanSupplier over, Reply.Status refusal) implements Decision {
        /**
         * Waits for the end of a connection.
         *
         * @param reason what the other node gets when the time is up
         * @param over whether to ask again
         */
        public Later(String reason, BooleanSupplier over) {
            this(reason, over, Reply.Status.STALE);
        }

        /**
         * Asks again regularly.
         *
         * @param reason what the other node gets when the time is up
         */
        public Later(String reason) {
            this(reason, () -> true, Reply.Status.REFUSED);
        }
    }
}
