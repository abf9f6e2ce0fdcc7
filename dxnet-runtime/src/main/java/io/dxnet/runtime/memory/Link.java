package io.dxnet.runtime.memory;

import io.dxnet.memory.Right;
import io.dxnet.transport.memory.MemoryAccess;
import java.util.Set;

/**
 * The way to a region of another node.
 *
 * @param attachment its number at the owner
 * @param region the region's number in the owner's incarnation
 */
record Link(MemoryAccess access, long attachment, long region, long length, Set<Right> rights) {
    boolean isOneSided() {
        return !(access instanceof CarriedAccess);
    }

    /** Ends the device's way: what is in flight there fails; the owner answers the rest. */
    void endDevice() {
        switch (access) {
            case CarriedAccess messages -> {
                // no device
            }
            case MixedAccess mixed -> mixed.endDevice();
            default -> access.close();
        }
    }
}
