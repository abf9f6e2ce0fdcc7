package io.dxnet.runtime.request;

import io.dxnet.Request;
import io.dxnet.Response;
import io.dxnet.runtime.wire.HeaderDescriptor;

/**
 * A request of one of DXNet's own services. Its type is one of
 * {@link io.dxnet.runtime.wire.HeaderDescriptor#SERVICE services}, and its response has the same.
 */
public abstract class ServiceRequest<R extends Response> extends Request<R> {
    private final int key;

    /** One that was received. */
    protected ServiceRequest() {
        this.key = -1;
    }

    /** An outgoing one. */
    protected ServiceRequest(int destination, int type) {
        super(destination, type, 0);
        this.key = HeaderDescriptor.key(type, 0, HeaderDescriptor.SERVICE);
    }

    /** Makes its response, to be filled. A message handler's thread. */
    protected abstract R emptyResponse();

    /** {@return the index of its type} */
    final int key() {
        return key;
    }
}
