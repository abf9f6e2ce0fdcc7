package io.dxnet.tools.ledger;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** Counts how often a virtual thread of this process kept its carrier while it waited. */
final class PinnedThreads {
    private static final String EVENT = "jdk.VirtualThreadPinned";

    private final AtomicInteger count = new AtomicInteger();
    private final AtomicReference<String> first = new AtomicReference<>();

    /** Counts while a call lasts; returns what the call returns. */
    <T> T during(Callable<T> call) throws Exception {
        try (RecordingStream recording = new RecordingStream()) {
            recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
            recording.onEvent(EVENT, this::pinned);
            recording.startAsync();
            T result = call.call();
            recording.stop();
            return result;
        }
    }

    private void pinned(RecordedEvent event) {
        count.incrementAndGet();
        first.compareAndSet(null, event.toString());
    }

    int count() {
        return count.get();
    }

    /** The first event with its stack; null: none. */
    String first() {
        return first.get();
    }
}
