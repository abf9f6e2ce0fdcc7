package io.dxnet.spi;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.RequestType;
import io.dxnet.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries the response to a {@link ValueRequest}. Type and subtype are those of the request.
 *
 * @param <R> the type of the value
 */
public final class ValueResponse<R> extends Response implements Valued<R> {
    private final RequestType<?, R> type;
    private final int mark;
    private @Nullable R value; // null until it is set or read
    private int bytes;

    ValueResponse(RequestType<?, R> type) {
        this.type = type;
        this.mark = Valued.mark(type.responseCodec());
    }

    ValueResponse(ValueRequest<?, R> request, RequestType<?, R> type, R value) {
        super(request, request.type(), request.subtype());
        this.type = type;
        this.mark = Valued.mark(type.responseCodec());
        this.value = value;
    }

    @Override
    public String what() {
        return "the response to " + type;
    }

    @Override
    public R value() {
        return Objects.requireNonNull(value);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public void exportObject(Exporter exporter) {
        Valued.write(mark, type.responseCodec(), value(), exporter);
    }

    @Override
    public void importObject(Importer importer) {
        bytes = importer.remaining();
        value = Valued.read(mark, type.responseCodec(), importer, this);
    }

    @Override
    public int sizeOfObject() {
        return Valued.size(type.responseCodec(), value());
    }
}
