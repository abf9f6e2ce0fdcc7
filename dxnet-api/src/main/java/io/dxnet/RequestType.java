package io.dxnet;

import java.lang.invoke.MethodHandles;
import java.util.Objects;

/**
 * Describes one type of requests and their responses: one number on the wire, and the codecs
 * of both. All nodes use the same.
 *
 * <pre>{@code
 * record Ping(long number) {}
 * record Pong(long number) {}
 *
 * static final RequestType<Ping, Pong> PING = RequestType.of(2, Ping.class, Pong.class);
 * }</pre>
 *
 * <p>A response needs no number: its request identifies it. Ids are those of {@link MessageType},
 * shared with it. Immutable; any thread may use it.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
public final class RequestType<Q, R> {
    private final MessageType<Q> request;
    private final Codec<R> responseCodec;
    private final String text;

    private RequestType(MessageType<Q> request, Codec<R> responseCodec) {
        this.request = request;
        this.responseCodec = Objects.requireNonNull(responseCodec, "responseCodec");
        this.text = "request type " + request.id() + " (" + request.name() + ")"
                + (request.options().isEmpty() ? "" : " " + request.options());
    }

    /**
     * Makes a type with derived codecs, named after the class of its requests.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param id 0 to 65535
     * @param request a record, a sealed interface of records, or
     *     another type that {@link Codec} lists
     * @param response likewise
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range
     * @throws MessagingUsageException when no codec can be derived
     */
    public static <Q, R> RequestType<Q, R> of(int id, Class<Q> request, Class<R> response) {
        return new RequestType<>(MessageType.of(id, request), Codec.of(response));
    }

    /**
     * Makes a type with derived codecs of records that only the caller can access, named
     * after the class of its requests.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param id 0 to 65535
     * @param request a record, a sealed interface of records, or
     *     another type that {@link Codec} lists
     * @param response likewise
     * @param lookup {@link MethodHandles#lookup()}, called in the module of the records
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range
     * @throws MessagingUsageException when no codec can be derived
     */
    public static <Q, R> RequestType<Q, R> of(
            int id, Class<Q> request, Class<R> response, MethodHandles.Lookup lookup) {
        return new RequestType<>(MessageType.of(id, request, lookup), Codec.of(response, lookup));
    }

    /**
     * Makes a type with any codecs.
     *
     * @param <Q> the type of the requests
     * @param <R> the type of the responses
     * @param id 0 to 65535
     * @param name for errors and logs, not blank
     * @param requestCodec of the requests
     * @param responseCodec of the responses
     * @return the type, without options
     * @throws IllegalArgumentException when the id is out of range or the name is blank
     */
    public static <Q, R> RequestType<Q, R> of(int id, String name, Codec<Q> requestCodec, Codec<R> responseCodec) {
        return new RequestType<>(MessageType.of(id, name, requestCodec), responseCodec);
    }

    /**
     * Copies this type so that requests of one connection are handled one at a
     * time, in the order of sending.
     *
     * @return the copy
     */
    public RequestType<Q, R> ordered() {
        return new RequestType<>(request.ordered(), responseCodec);
    }

    /**
     * {@return id, name, codec and options of the requests, as those of a message}
     */
    public MessageType<Q> request() {
        return request;
    }

    /**
     * {@return the number on the wire, 0 to 65535}
     */
    public int id() {
        return request.id();
    }

    /**
     * {@return the name for errors and logs}
     */
    public String name() {
        return request.name();
    }

    /**
     * {@return the codec of the requests}
     */
    public Codec<Q> requestCodec() {
        return request.codec();
    }

    /**
     * {@return the codec of the responses}
     */
    public Codec<R> responseCodec() {
        return responseCodec;
    }

    /** Compares all parts, as {@link MessageType#equals}. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RequestType<?, ?> type
                && request.equals(type.request)
                && responseCodec.equals(type.responseCodec);
    }

    @Override
    public int hashCode() {
        return request.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
