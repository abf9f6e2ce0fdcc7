package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_async_event;
import io.dxnet.ibverbs.raw.ibv_device;
import java.util.List;

/** Finding, opening and closing devices, and their asynchronous events. */
final class DeviceVerbs {
    private DeviceVerbs() {}

    static long ibv_get_device_list(long count) {
        return list(Devices.present(false), count);
    }

    static long idle_get_device_list(long count) {
        return list(Devices.present(true), count);
    }

    private static long list(List<SoftDevice> devices, long count) {
        long list = LibC.calloc((devices.size() + 1) * 8L);
        for (int i = 0; i < devices.size(); i++) {
            Memory.putLong(list + i * 8L, devices.get(i).struct());
        }
        if (count != 0) {
            Memory.putInt(count, devices.size());
        }
        return list;
    }

    static void ibv_free_device_list(long list) {
        LibC.free(list);
    }

    static long ibv_get_device_name(long device) {
        VerbError.live(Devices.at(device));
        return device + ibv_device.name$offset();
    }

    static long ibv_get_device_guid(long device) {
        return Long.reverseBytes(VerbError.live(Devices.at(device)).guid());
    }

    static int ibv_get_device_index(long device) {
        return VerbError.live(Devices.at(device)).number();
    }

    static long ibv_open_device(long device) {
        try (var _ = Fabric.control()) {
            SoftDevice found = VerbError.live(Devices.at(device));
            if (found.isRemoved()) {
                throw new VerbError(Ibv.ENODEV);
            }
            int error = found.faults().onCall("ibv_open_device");
            if (error != 0) {
                throw new VerbError(error);
            }
            found.openWire();
            try {
                SoftContext context = Fabric.CONTEXTS.add(new SoftContext(found));
                found.contexts().add(context);
                return context.address();
            } finally {
                found.closeWire(); // where it has no context, in which the wire would stay open
            }
        }
    }

    /** Objects that are still there are destroyed, as the kernel does it. */
    static int ibv_close_device(long context) {
        try (var _ = Fabric.control()) {
            SoftContext closing = VerbError.live(Fabric.CONTEXTS.at(context));
            Fabric.MEMORY_WINDOWS.all(o -> o.context == closing).forEach(WindowVerbs::destroy);
            Fabric.QUEUE_PAIRS.all(o -> o.context == closing).forEach(QueueVerbs::destroy);
            Fabric.SHARED_RECEIVE_QUEUES.all(o -> o.context == closing).forEach(QueueVerbs::destroy);
            Fabric.COMPLETION_QUEUES.all(o -> o.context == closing).forEach(CompletionVerbs::destroy);
            Fabric.CHANNELS.all(o -> o.context == closing).forEach(CompletionVerbs::destroy);
            Fabric.MEMORY_REGIONS.all(o -> o.context == closing).forEach(ResourceVerbs::destroy);
            Fabric.ADDRESS_HANDLES.all(o -> o.context == closing).forEach(AddressVerbs::destroy);
            // Parent domains first: they use the others.
            Fabric.PROTECTION_DOMAINS
                    .all(o -> o.context == closing && o.parent() != null)
                    .forEach(ResourceVerbs::destroy);
            Fabric.PROTECTION_DOMAINS.all(o -> o.context == closing).forEach(ResourceVerbs::destroy);
            Fabric.THREAD_DOMAINS.all(o -> o.context == closing).forEach(Fabric.THREAD_DOMAINS::remove);
            closing.device().contexts().remove(closing);
            closing.device().closeWire();
            Fabric.CONTEXTS.remove(closing);
            closing.asyncEvents().close();
            return 0;
        }
    }

    private static void count(SoftContext.AsyncEvent taken) {
        if (taken.source() != null) {
            taken.source().eventTaken();
        }
    }

    static int ibv_get_async_event(long context, long event) {
        SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
        SoftContext.AsyncEvent taken = open.asyncEvents().take(DeviceVerbs::count);
        SoftObject source = taken.source();
        Memory.putLong(event, source == null ? 1 : source.address());
        Memory.putInt(event + ibv_async_event.event_type$offset(), taken.type());
        return 0;
    }

    static void ibv_ack_async_event(long event) {
        int type = Memory.getInt(event + ibv_async_event.event_type$offset());
        long element = Memory.getLong(event);
        SoftObject source = switch (type) {
            case Ibv.IBV_EVENT_CQ_ERR -> Fabric.COMPLETION_QUEUES.at(element);
            case Ibv.IBV_EVENT_SRQ_LIMIT_REACHED -> Fabric.SHARED_RECEIVE_QUEUES.at(element);
            default -> Fabric.QUEUE_PAIRS.at(element);
        };
        if (source != null) {
            source.eventsAcknowledged(1);
        }
    }
}
