package io.dxnet.ibverbs;

/**
 * The binds of memory windows in a {@link SendChain}. Native requests hold pointers to the window's
 * and the region's structures; this holds the objects, which have to be open when the chain is
 * posted.
 */
final class ChainBinds {
    private final int[] requests;
    private final MemoryWindow[] windows;
    private final MemoryRegion[] regions;
    private final int[] keys;
    private int count;

    ChainBinds(int maxRequests) {
        requests = new int[maxRequests];
        windows = new MemoryWindow[maxRequests];
        regions = new MemoryRegion[maxRequests];
        keys = new int[maxRequests];
    }

    /** Fails where the chain binds this window already: the second bind's key would be wrong. */
    void checkNew(MemoryWindow window) {
        for (int i = 0; i < count; i++) {
            if (windows[i] == window) {
                throw new IllegalStateException(
                        "a chain binds a memory window once: post it before the window is bound again");
            }
        }
    }

    void add(int request, MemoryWindow window, MemoryRegion region, int key) {
        requests[count] = request;
        windows[count] = window;
        regions[count] = region;
        keys[count] = key;
        count++;
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            windows[i] = null;
            regions[i] = null;
        }
        count = 0;
    }

    /**
     * The failure of a window or region that is closed by now, is another device's, or has another
     * key than when the bind was added; null where there is none. To be called while entered.
     */
    RuntimeException failure(Context context, int first) {
        for (int i = 0; i < count; i++) {
            if (requests[i] >= first) {
                RuntimeException failure = failure(context, windows[i], regions[i], keys[i]);
                if (failure != null) {
                    return failure;
                }
            }
        }
        return null;
    }

    private static RuntimeException failure(Context context, MemoryWindow window, MemoryRegion region, int key) {
        if (window.isClosed()) {
            return window.closedException();
        }
        if (region.isClosed()) {
            return region.closedException();
        }
        if (window.context() != context) {
            return new IllegalArgumentException(window + " belongs to another context");
        }
        if (window.nextRemoteKey() != key) {
            return new IllegalStateException(
                    "the " + window + " was bound by another chain, or by this one before: fill the chain anew");
        }
        return null;
    }

    /** The requests from {@code first} to {@code end} - 1 were accepted. Called while entered. */
    void posted(QueuePair by, int first, int end) {
        for (int i = 0; i < count; i++) {
            if (requests[i] >= first && requests[i] < end) {
                windows[i].bindPosted(by, keys[i]);
            }
        }
    }
}
