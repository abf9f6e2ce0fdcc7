package io.dxnet.runtime;

import io.dxnet.DXNetException;
import io.dxnet.Message;
import io.dxnet.MessagingUsageException;
import io.dxnet.NetClosedException;

/** What handlers report: to the senders of requests, and to this node's error handler. Any thread. */
record HandlerReports(ConnectionManager connections, Sender sender, EngineThread.Errors errors, int bytesMax)
        implements MessageHandler.Events {
    @Override
    public void unknownType(PeerConnection connection, int type, int subtype) {
        connections.protocolError(
                connection,
                "it sent a message of type " + type + " subtype " + subtype
                        + ", which is not registered here: call registerMessageType on this node before it can arrive");
    }

    @Override
    public void cannotAnswer(PeerConnection connection, long word, String errorClass, String text) {
        RequestFailure failure = new RequestFailure(
                connection.nodeId(),
                HeaderDescriptor.type(word),
                HeaderDescriptor.subtype(word),
                errorClass,
                text,
                bytesMax);
        try {
            sender.respond(
                    failure,
                    connection,
                    HeaderDescriptor.id(word),
                    HeaderDescriptor.RESPONSE | HeaderDescriptor.FAILED);
        } catch (DXNetException | NetClosedException e) {
            // The end of the connection fails the request, and its timeout does.
        }
    }

    @Override
    public void callbackFailed(String what, Throwable error) {
        Events.handlerException(what, error);
        errors.error(what, error);
    }

    @Override
    public void interrupted(PeerConnection connection, Message message) {
        errors.error(
                "the callback for a message of type " + message.type() + " subtype " + message.subtype() + " ("
                        + MessageName.of(message) + ") from node " + connection.nodeId()
                        + " left its thread interrupted: the flag is cleared",
                new MessagingUsageException("a callback must not leave the interrupt flag of its thread set"));
    }

    @Override
    public SenderThread sends() {
        return sender.threads().current();
    }

    @Override
    public void flush(SenderThread sends) {
        sender.flush(sends);
    }

    /** {@return the message of an exception, which may throw in turn} */
    static String messageOf(Throwable error) {
        try {
            return String.valueOf(error.getMessage());
        } catch (Throwable e) {
            return "its getMessage failed";
        }
    }
}
