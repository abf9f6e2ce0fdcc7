package io.dxnet.transport.ib;

import io.dxnet.ibverbs.AsyncEvent;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.Connections;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * What happens to the device as a whole: its asynchronous events
 * ({@code man ibv_get_async_event}), and its end.
 */
final class DeviceEvents {
    private static final System.Logger LOG = System.getLogger(DeviceEvents.class.getName());

    private final TransportContext context;
    private final IbDevice device;
    private final Connections<IbConnection> connections;
    private final ConnectionSlots slots;
    private volatile String failure; // any thread, the first failure

    DeviceEvents(
            TransportContext context, IbDevice device, Connections<IbConnection> connections, ConnectionSlots slots) {
        this.context = context;
        this.device = device;
        this.connections = connections;
        this.slots = slots;
    }

    /** What ended the device; null where it lives. Any thread. */
    String failure() {
        return failure;
    }

    /** The device, or one of its shared queues, is lost: so is every connection. Any thread. */
    void deviceFailed(String what) {
        if (failure == null) {
            failure = what;
            context.error(
                    "the RDMA device failed, all connections end: " + what, new VerbsException("device", 0, what));
        }
        for (IbConnection c : connections.all()) {
            c.fail(what);
        }
    }

    /**
     * Polls the events that are there: hints, whose loss does no harm. The control channels'
     * thread.
     */
    void poll() {
        try {
            Optional<AsyncEvent> event = device.context().asyncEvents().poll();
            while (event.isPresent()) {
                handle(event.get());
                event = device.context().asyncEvents().poll();
            }
        } catch (VerbsException e) {
            deviceFailed("its events can't be read: " + e.getMessage());
        }
    }

    private void handle(AsyncEvent event) {
        switch (event.type()) {
            case CQ_ERR, SRQ_ERR, DEVICE_FATAL, WQ_FATAL -> deviceFailed(event.toString());
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> {
                IbConnection c = event.resource() instanceof QueuePair pair ? slots.ofQueuePair(pair.number()) : null;
                if (c != null) {
                    c.fail("its queue pair failed: " + event.type());
                }
            }
            case PORT_ERR, GID_CHANGE, LID_CHANGE, PKEY_CHANGE ->
                // Requests over it fail by themselves when the retries are used up;
                // what does not use it lives on.
                LOG.log(Level.WARNING, "{0}: {1}", device.describe(), event.type());
            default -> LOG.log(Level.DEBUG, "{0}: {1}", device.describe(), event.type());
        }
    }
}
