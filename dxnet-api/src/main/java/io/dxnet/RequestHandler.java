package io.dxnet;

/**
 * The application's callback that answers the requests of one {@link RequestType}.
 *
 * @param <Q> the type of the requests
 * @param <R> the type of the responses
 */
@FunctionalInterface
public interface RequestHandler<Q, R> {
    /**
     * Answers a request. Threads and order are those of {@link Handler#handle}.
     *
     * @param request the request
     * @param from the id of the node that sent it, 0 to 65535
     * @return the response, not null
     * @throws Exception any: the sender of the request gets a {@link RequestFailedException} with
     *     its class and message, and it is reported to {@link DXNetConfig#errorHandler()}
     */
    R answer(Q request, int from) throws Exception;
}
