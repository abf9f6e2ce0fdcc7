package io.dxnet.softhca;

/** Memory windows of type 2B; type 1 is not offered. */
final class WindowVerbs {
    private WindowVerbs() {}

    static long alloc_mw(long pd, int type) {
        try (var _ = Fabric.control()) {
            SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
            domain.context.enter("ibv_alloc_mw");
            if (type != Ibv.IBV_MW_TYPE_2) {
                throw new VerbError(Ibv.EOPNOTSUPP);
            }
            SoftMemoryWindow window = Fabric.MEMORY_WINDOWS.add(new SoftMemoryWindow(domain));
            domain.addUser();
            return window.address();
        }
    }

    static int dealloc_mw(long mw) {
        try (var _ = Fabric.control()) {
            destroy(VerbError.live(Fabric.MEMORY_WINDOWS.at(mw)));
            return 0;
        }
    }

    /** When this returns, no peer reaches memory through the window any more. */
    static void destroy(SoftMemoryWindow window) {
        // A bind that runs now ends before, or finds that the window is gone.
        synchronized (window) {
            Fabric.MEMORY_WINDOWS.remove(window);
        }
        window.unbind();
        window.domain().removeUser();
    }
}
