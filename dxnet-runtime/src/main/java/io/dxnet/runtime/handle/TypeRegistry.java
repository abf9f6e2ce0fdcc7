package io.dxnet.runtime.handle;

import io.dxnet.Message;
import io.dxnet.MessageReceiver;
import io.dxnet.MessageTypeOption;
import io.dxnet.MessagingUsageException;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.spi.MessageAccess;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The registered message types and their receivers: the application's, and behind them
 * those of DXNet's own services. Any thread; lookups are one array access.
 */
public final class TypeRegistry {
    /** One registered type. */
    static final class Entry {
        final Supplier<? extends Message> factory;
        final boolean exclusive;
        final boolean reusable;
        /** Whether its messages carry values: then its requests make their responses. */
        final boolean ofValues;

        private final Message @Nullable [] instances; // of a reusable type: each element by its handler alone
        volatile @Nullable MessageReceiver<Message> receiver;

        Entry(Supplier<? extends Message> factory, Set<MessageTypeOption> options, boolean ofValues, int handlers) {
            this.factory = factory;
            this.ofValues = ofValues;
            this.exclusive = options.contains(MessageTypeOption.EXCLUSIVE);
            this.reusable = options.contains(MessageTypeOption.REUSABLE);
            this.instances = reusable ? new Message[handlers] : null;
        }

        /** A message to fill: new, or the handler's own. */
        @SuppressWarnings("NullAway") // a reusable type has instances
        Message message(int handler) {
            if (!reusable) {
                return factory.get();
            }
            Message message = instances[handler];
            if (message == null) {
                message = factory.get();
                instances[handler] = message;
            }
            return message;
        }
    }

    private static final MessageAccess ACCESS = MessageAccess.get();

    /** The types of services are fewer: 0 to 31, with subtype 0. */
    public static final int SERVICE_TYPES_MAX = 32;

    private static final int KEYS = HeaderDescriptor.SERVICE_KEY + SERVICE_TYPES_MAX;

    private final AtomicReferenceArray<Entry> entries = new AtomicReferenceArray<>(KEYS);
    private final AtomicReferenceArray<MessageReceiver<Message>> early =
            new AtomicReferenceArray<>(Message.TYPES_MAX * Message.TYPES_MAX);
    private final int handlers;

    public TypeRegistry(int handlers) {
        this.handlers = handlers;
    }

    public void registerType(
            int type, int subtype, Supplier<? extends Message> factory, Set<MessageTypeOption> options) {
        add(type, subtype, factory, options, false);
    }

    /** Registers a type whose messages are {@link io.dxnet.spi.Valued}. */
    void registerValues(int type, int subtype, Supplier<? extends Message> factory, Set<MessageTypeOption> options) {
        add(type, subtype, factory, options, true);
    }

    private synchronized void add(
            int type,
            int subtype,
            Supplier<? extends Message> factory,
            Set<MessageTypeOption> options,
            boolean ofValues) {
        int key = key(type, subtype);
        if (entries.get(key) != null) {
            throw new MessagingUsageException("type " + type + " subtype " + subtype
                    + " is registered already: choose another number for one of the two classes");
        }
        Entry entry = new Entry(factory, options, ofValues, handlers);
        entry.receiver = early.get(key);
        entries.set(key, entry);
    }

    @SuppressWarnings("unchecked")
    public synchronized void registerReceiver(int type, int subtype, MessageReceiver<? extends Message> receiver) {
        int key = key(type, subtype);
        MessageReceiver<Message> raw = (MessageReceiver<Message>) receiver;
        early.set(key, raw);
        Entry entry = entries.get(key);
        if (entry != null) {
            entry.receiver = raw;
        }
    }

    public synchronized void unregisterReceiver(int type, int subtype) {
        int key = key(type, subtype);
        early.set(key, null);
        Entry entry = entries.get(key);
        if (entry != null) {
            entry.receiver = null;
        }
    }

    /**
     * Registers a type of a service: the messages of a node are handled in the order in which it
     * sent them. Each handler uses one message again.
     *
     * @param type 0 to 31; the subtype is 0
     * @param factory makes an empty message
     * @param receiver is called for each message, and keeps none
     */
    @SuppressWarnings("unchecked")
    public synchronized void registerService(
            int type, Supplier<? extends Message> factory, MessageReceiver<? extends Message> receiver) {
        Entry entry =
                new Entry(factory, Set.of(MessageTypeOption.EXCLUSIVE, MessageTypeOption.REUSABLE), true, handlers);
        MessageReceiver<Message> raw = (MessageReceiver<Message>) receiver;
        entry.receiver = message -> {
            try {
                raw.onIncomingMessage(message);
            } finally {
                ACCESS.forgetOrigin(message); // else it keeps the connection alive until the next one
            }
        };
        entries.set(HeaderDescriptor.SERVICE_KEY + type, entry);
    }

    @Nullable
    Entry get(int key) {
        return key < KEYS ? entries.getAcquire(key) : null;
    }

    public boolean isExclusive(int key) {
        Entry entry = get(key);
        return entry != null && entry.exclusive;
    }

    private static int key(int type, int subtype) {
        if (type < 0 || type >= Message.TYPES_MAX || subtype < 0 || subtype >= Message.TYPES_MAX) {
            throw new IllegalArgumentException("type " + type + " subtype " + subtype + ": both are 0 to 255");
        }
        return HeaderDescriptor.key(type, subtype);
    }
}
