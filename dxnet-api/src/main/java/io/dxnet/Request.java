package io.dxnet;

/**
 * A message that is answered: {@link DXNet#sendSync} waits for the {@link Response},
 * {@link DXNet#sendAsync} collects it later. The receiver's callback answers by sending
 * a {@code new R(request, ...)}.
 *
 * @param <R> the type of the response
 */
public abstract class Request<R extends Response> extends Message {
    /** For objects that are about to be filled by {@link #importObject}. */
    protected Request() {}

    /**
     * An outgoing request: it has exactly one destination.
     *
     * @param destination node id, 0 to 65535
     * @param type 0 to 255
     * @param subtype 0 to 255
     */
    protected Request(int destination, int type, int subtype) {
        super(destination, type, subtype);
    }
}
