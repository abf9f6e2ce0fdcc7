package io.dxnet;

/**
 * The other node received the request and cannot answer it: its callback threw, or no callback or
 * type is registered there. It travels as a response does, within a round trip.
 */
public class RequestFailedException extends DXNetException {
    private static final long serialVersionUID = 1L;

    private final int nodeId;
    private final String errorClass;

    /**
     * With what the other node reported.
     *
     * @param message which node, which request, and what it reported
     * @param nodeId the node that could not answer
     * @param errorClass class name of what the callback threw; empty where no callback ran
     */
    public RequestFailedException(String message, int nodeId, String errorClass) {
        super(message);
        this.nodeId = nodeId;
        this.errorClass = errorClass;
    }

    /**
     * The node that could not answer.
     *
     * @return 0 to 65535
     */
    public int nodeId() {
        return nodeId;
    }

    /**
     * The class name of what the callback threw there.
     *
     * @return a name, empty where no callback ran
     */
    public String errorClass() {
        return errorClass;
    }
}
