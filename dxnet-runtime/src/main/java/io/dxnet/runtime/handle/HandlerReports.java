package io.dxnet.runtime.handle;

import io.dxnet.Disconnect;
import io.dxnet.Message;
import io.dxnet.MessagingUsageException;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.report.JfrEvents;
import io.dxnet.runtime.report.MessageName;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.send.SenderThread;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.wire.HeaderDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What handlers report: to the senders of requests, and to this node's error handler. Any thread.
 */
public record HandlerReports(
        ConnectionManager connections, Sender sender, ControlAgent control, EngineThread.Errors errors, int bytesMax)
        implements Delivery.Events {
    @Override
    public void cannotAnswer(PeerConnection connection, long word, String errorClass, String text) {
        int control = HeaderDescriptor.RESPONSE | HeaderDescriptor.FAILED;
        // The end of the connection fails the request, and its timeout does.
        Throwable failure = report(connection, word, control, 1, errorClass, text);
        if (failure instanceof SendTimeoutException) {
            // Else each further request could hold this handler for as long.
            connections.lost(
                    connection,
                    Disconnect.Reason.STALLED,
                    "the report that a request has no answer could not be sent: " + failure.getMessage());
        }
    }

    @Override
    public void reject(PeerConnection connection, long word, int count, String errorClass, String text) {
        if (report(connection, word, HeaderDescriptor.REJECTED, count, errorClass, text) != null) {
            // Then the end of the connection has to cover them: what this handler
            // handles now is not confirmed yet.
            connections.lost(
                    connection,
                    Disconnect.Reason.LOST,
                    count + " of its messages reached no handler here, and their sender could not be informed");
        }
    }

    /** {@return why the report was not sent; null: it was} */
    private @Nullable Throwable report(
            PeerConnection connection, long word, int control, int count, String errorClass, String text) {
        try {
            FailureReport report = new FailureReport(
                    connection.nodeId(),
                    HeaderDescriptor.type(word),
                    HeaderDescriptor.subtype(word),
                    count,
                    errorClass,
                    text,
                    bytesMax);
            int flags = control | HeaderDescriptor.control(word) & HeaderDescriptor.SERVICE;
            sender.respond(report, connection, HeaderDescriptor.id(word), flags);
            return null;
        } catch (Throwable e) { // an Error too: the message must not count as handled
            return e;
        }
    }

    @Override
    public void rejected(PeerConnection connection, long word, int count, String reason) {
        int key = HeaderDescriptor.key(word);
        if (key < HeaderDescriptor.SERVICE_KEY) { // a service's notice is no message of the application
            control.rejected(connection.nodeId(), key, count, reason);
        }
    }

    @Override
    public void callbackFailed(String what, Throwable error) {
        JfrEvents.handlerException(what, error);
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
}
