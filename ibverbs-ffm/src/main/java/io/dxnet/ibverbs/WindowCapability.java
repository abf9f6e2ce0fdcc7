package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/**
 * Which memory windows a device offers ({@code enum ibv_device_cap_flags};
 * {@code man ibv_query_device}). The constants are in order: what comes later offers more.
 */
public enum WindowCapability {
    /** None. */
    NONE(0),
    /** Of type 1, which this binding does not bind. */
    TYPE_1(verbs_h.IBV_DEVICE_MEM_WINDOW()),
    /** Of type 2; queue pairs of the window's protection domain reach what it is bound to. */
    TYPE_2A(verbs_h.IBV_DEVICE_MEM_WINDOW_TYPE_2A()),
    /** Of type 2; the queue pair that posted the bind reaches what the window is bound to. */
    TYPE_2B(verbs_h.IBV_DEVICE_MEM_WINDOW_TYPE_2B());

    private static final WindowCapability[] ALL = values();

    private final int flag;

    WindowCapability(int flag) {
        this.flag = flag;
    }

    /**
     * Returns whether {@link ProtectionDomain#allocateMemoryWindow()} can be used.
     *
     * @return whether there are windows of type 2
     */
    public boolean hasType2() {
        return compareTo(TYPE_2A) >= 0;
    }

    /** The last constant whose flag is among those of a device. */
    static WindowCapability of(int capabilityFlags) {
        WindowCapability found = NONE;
        for (WindowCapability each : ALL) {
            if ((capabilityFlags & each.flag) != 0) {
                found = each;
            }
        }
        return found;
    }
}
