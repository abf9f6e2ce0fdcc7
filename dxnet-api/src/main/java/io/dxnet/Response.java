package io.dxnet;

/**
 * The answer to a {@link Request}. It is sent to the sender of the request, on the connection that
 * the request came by, completes the request and is given to no {@link MessageReceiver}.
 */
public abstract class Response extends Message {
    /** For objects that are about to be filled by {@link #importObject}. */
    protected Response() {}

    /**
     * An outgoing response to the node that sent the request.
     *
     * @param request the request as it was received
     * @param type 0 to 255
     * @param subtype 0 to 255
     * @throws IllegalArgumentException when the request did not arrive from the network
     */
    protected Response(Request<?> request, int type, int subtype) {
        super(received(request), type, subtype);
    }

    private static Request<?> received(Request<?> request) {
        if (request.source() < 0) {
            throw new IllegalArgumentException("a response answers a request that was received; this "
                    + request.getClass().getName() + " was not");
        }
        return request;
    }
}
