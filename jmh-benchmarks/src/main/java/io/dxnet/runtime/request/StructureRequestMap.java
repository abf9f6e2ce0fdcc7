package io.dxnet.runtime.request;

import io.dxnet.Response;
import io.dxnet.jmh.NanosPerCall;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The request map: nanoseconds for adding a request and completing it with its response, while
 * others are outstanding. All threads ({@code -t}) share one map.
 */
public class StructureRequestMap extends NanosPerCall {
    private static final int DESTINATION = 1;
    private static final int CAPACITY = 1 << 14;

    private static PendingRequest request() {
        return new PendingRequest(DESTINATION, "request", Response.class, Long.MAX_VALUE, null);
    }

    /** The maps. */
    @State(Scope.Benchmark)
    public static class Maps {
        @Param({"0", "1000"})
        int outstanding;

        final RequestMap map = new RequestMap(CAPACITY, half -> {});
        final ConcurrentHashMap<Integer, PendingRequest> hashMap = new ConcurrentHashMap<>(CAPACITY);
        final AtomicInteger nextId = new AtomicInteger();

        /** Those that stay outstanding are spread over the ids, as slow responses are. */
        @Setup
        public void fill() {
            int distance = outstanding == 0 ? CAPACITY : CAPACITY / outstanding;
            for (int i = 0; i < outstanding * distance; i++) {
                PendingRequest added = request();
                map.tryAdd(added);
                int id = nextId.getAndIncrement();
                if (i % distance == 0) {
                    hashMap.put(id, added);
                } else {
                    map.remove(added);
                }
            }
        }
    }

    private final PendingRequest request = request();

    @Benchmark
    public boolean requestMap(Maps maps) {
        if (!maps.map.tryAdd(request)) {
            throw new IllegalStateException("the map is full");
        }
        return maps.map.complete(request.id, null, null);
    }

    /** The JDK's map with boxed ids; without the count, the bound and the check of the source. */
    @Benchmark
    public boolean concurrentHashMap(Maps maps) {
        int id = maps.nextId.getAndIncrement();
        maps.hashMap.put(id, request);
        PendingRequest found = maps.hashMap.remove(id);
        found.end(null, null);
        return found.isDone();
    }
}
