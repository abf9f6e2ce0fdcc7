package io.dxnet;

/**
 * Why a connection ended.
 *
 * @param reason the kind of end
 * @param detail what happened, in words
 * @param unconfirmedBytes the most bytes of messages, headers included, that this node sent and
 *     the other may not have handled; 0 after the other node has confirmed that it handled
 *     everything. Confirmations come in steps of the flow control's threshold, so messages that
 *     were handled may be among them.
 */
public record Disconnect(Reason reason, String detail, long unconfirmedBytes) {
    /** The kinds of end. */
    public enum Reason {
        /** This node ended it: {@link DXNet#disconnectNode} or {@link DXNet#close}. */
        CLOSED,
        /** The other node ended it in order. */
        CLOSED_BY_PEER,
        /** It was the least recently used one when another was needed (DXNet §IX). */
        DISMISSED,
        /** The transport lost it: the peer died, or the network did. */
        LOST,
        /**
         * A message that was being streamed, or a report of a failure, could not be sent for
         * {@link DXNetConfig#sendTimeoutMs()}; or an incomplete message of the peer got no memory,
         * or no bytes for half of that time while others waited for memory. A lost machine alone
         * does not lead to it.
         */
        STALLED,
        /** The peer sent what no node sends: an impossible length, a broken header. */
        PROTOCOL_ERROR
    }
}
