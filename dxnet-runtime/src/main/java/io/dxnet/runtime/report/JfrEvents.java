package io.dxnet.runtime.report;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The engine's JFR events: off unless a recording enables them, and then on slow paths only. */
public final class JfrEvents {
    private static final EventType BACK_PRESSURE = EventType.getEventType(BackPressure.class);

    private JfrEvents() {}

    @Name("dxnet.Connect")
    @Label("Connect")
    @Category("DXNet")
    @Enabled(false)
    @StackTrace(false)
    static final class Connect extends Event {
        @Label("Own Node")
        int ownNode;

        @Label("Node")
        int node;
    }

    @Name("dxnet.Disconnect")
    @Label("Disconnect")
    @Category("DXNet")
    @Enabled(false)
    @StackTrace(false)
    static final class Disconnected extends Event {
        @Label("Own Node")
        int ownNode;

        @Label("Node")
        int node;

        @Label("Reason")
        @Nullable
        String reason;

        @Label("Detail")
        @Nullable
        String detail;

        @Label("Unconfirmed Bytes")
        long unconfirmedBytes;
    }

    @Name("dxnet.BackPressure")
    @Label("Back-Pressure")
    @Description("A sender waited for ring space or the flow control's window")
    @Category("DXNet")
    @Enabled(false)
    public static final class BackPressure extends Event {
        @Label("Node")
        int node;
    }

    @Name("dxnet.RequestTimeout")
    @Label("Request Timeout")
    @Category("DXNet")
    @Enabled(false)
    static final class RequestTimeout extends Event {
        @Label("Node")
        int node;

        @Label("Request")
        @Nullable
        String request;
    }

    @Name("dxnet.HandlerException")
    @Label("Handler Exception")
    @Category("DXNet")
    @Enabled(false)
    static final class HandlerException extends Event {
        @Label("What")
        @Nullable
        String what;

        @Label("Exception")
        @Nullable
        String exception;
    }

    @Name("dxnet.HandshakeRefused")
    @Label("Handshake Refused")
    @Description("The handshake of another node, or of a stranger, was refused or came to nothing")
    @Category("DXNet")
    @Enabled(false)
    @StackTrace(false)
    static final class HandshakeRefused extends Event {
        @Label("Own Node")
        int ownNode;

        @Label("Cause")
        @Nullable
        String cause;

        @Label("Address")
        @Nullable
        String address;
    }

    public static void connected(int ownNode, int node) {
        Connect event = new Connect();
        if (event.shouldCommit()) {
            event.ownNode = ownNode;
            event.node = node;
            event.commit();
        }
    }

    public static void disconnected(int ownNode, int node, io.dxnet.Disconnect cause) {
        Disconnected event = new Disconnected();
        if (event.shouldCommit()) {
            event.ownNode = ownNode;
            event.node = node;
            event.reason = cause.reason().name();
            event.detail = cause.detail();
            event.unconfirmedBytes = cause.unconfirmedBytes();
            event.commit();
        }
    }

    public static void refused(int ownNode, String cause, String address) {
        HandshakeRefused event = new HandshakeRefused();
        if (event.shouldCommit()) {
            event.ownNode = ownNode;
            event.cause = cause;
            event.address = address;
            event.commit();
        }
    }

    /** Begins a back-pressure event; returns null where none is recorded. */
    public static @Nullable BackPressure backPressure() {
        if (!BACK_PRESSURE.isEnabled()) {
            return null;
        }
        BackPressure event = new BackPressure();
        event.begin();
        return event;
    }

    public static void end(@Nullable BackPressure event, int node) {
        if (event != null && event.shouldCommit()) {
            event.node = node;
            event.commit();
        }
    }

    public static void requestTimeout(int node, String request) {
        RequestTimeout event = new RequestTimeout();
        if (event.shouldCommit()) {
            event.node = node;
            event.request = request;
            event.commit();
        }
    }

    public static void handlerException(String what, Throwable error) {
        HandlerException event = new HandlerException();
        if (event.shouldCommit()) {
            event.what = what;
            event.exception = ErrorText.textOf(error);
            event.commit();
        }
    }
}
