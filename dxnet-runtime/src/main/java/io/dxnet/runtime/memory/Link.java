package io.dxnet.runtime.memory;

import io.dxnet.memory.Right;
import io.dxnet.transport.memory.MemoryAccess;
import java.util.Set;

/** The way to a region of another node. Any thread. */
final class Link {
    private final MemoryAccess access;
    private final long attachment;
    private final long region;
    private final long length;
    private final Set<Right> rights;
    private final int rightBits; // the same, by ordinal
    private volatile boolean broken;

    /**
     * A way that is open.
     *
     * @param attachment its number at the owner
     * @param region the region's number in the owner's incarnation
     */
    Link(MemoryAccess access, long attachment, long region, long length, Set<Right> rights) {
        this.access = access;
        this.attachment = attachment;
        this.region = region;
        this.length = length;
        this.rights = rights;
        int bits = 0;
        for (Right each : rights) {
            bits |= 1 << each.ordinal();
        }
        this.rightBits = bits;
    }

    MemoryAccess access() {
        return access;
    }

    long attachment() {
        return attachment;
    }

    long region() {
        return region;
    }

    long length() {
        return length;
    }

    Set<Right> rights() {
        return rights;
    }

    boolean has(Right right) {
        return (rightBits >> right.ordinal() & 1) != 0;
    }

    boolean isOneSided() {
        return !(access instanceof CarriedAccess);
    }

    /** Its device failed: no more operations are to be posted to it. */
    void markBroken() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
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
