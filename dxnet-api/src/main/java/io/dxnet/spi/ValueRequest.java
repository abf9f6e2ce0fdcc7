package io.dxnet.spi;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Request;
import io.dxnet.RequestType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a value of a {@link RequestType} as a {@link Request}.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
public final class ValueRequest<Q, R> extends Request<ValueResponse<R>> implements Valued<Q> {
    private final RequestType<Q, R> type;
    private final int mark;
    private @Nullable Q value; // null until it is set or read
    private int bytes;

    /**
     * To be filled by {@link #importObject}.
     *
     * @param type of the values
     */
    public ValueRequest(RequestType<Q, R> type) {
        this.type = type;
        this.mark = Valued.mark(type.requestCodec());
    }

    /**
     * An outgoing request.
     *
     * @param destination node id, 0 to 65535
     * @param type the type
     * @param value the value
     */
    public ValueRequest(int destination, RequestType<Q, R> type, Q value) {
        super(destination, type.request().type(), type.request().subtype());
        this.type = type;
        this.mark = Valued.mark(type.requestCodec());
        this.value = value;
    }

    /**
     * Makes the response to this request, which was received.
     *
     * @param answer its value
     * @return to be sent
     */
    public ValueResponse<R> response(R answer) {
        return new ValueResponse<>(this, type, answer);
    }

    /**
     * Makes a response to be filled by {@link #importObject}.
     *
     * @return without a value
     */
    public ValueResponse<R> emptyResponse() {
        return new ValueResponse<>(type);
    }

    /** {@return the type} */
    public RequestType<Q, R> ofType() {
        return type;
    }

    /** Refers to no value any more. */
    public void clear() {
        value = null;
    }

    @Override
    public String what() {
        return type.toString();
    }

    @Override
    public Q value() {
        return Objects.requireNonNull(value);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void exportObject(Exporter exporter) {
        Valued.write(mark, type.requestCodec(), value(), exporter);
    }

    @Override
    public void importObject(Importer importer) {
        bytes = importer.remaining();
        value = Valued.read(mark, type.requestCodec(), importer, this);
    }

    @Override
    public int sizeOfObject() {
        return Valued.size(type.requestCodec(), value());
    }
}
