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
}
