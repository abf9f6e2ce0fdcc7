package io.dxnet.runtime.memory;

import io.dxnet.memory.Right;
import io.dxnet.transport.memory.ExposedMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The access of one peer's incarnation to one region, at the owner. Its id is random: a peer
 * knows those that it was granted.
 */
final class Attachment {
    final long id;
    final int node;
    final long incarnation;
    private final ExposedMemory.@Nullable Grant grant; // null where messages carry the operations
    private final AtomicBoolean isRemoved = new AtomicBoolean(); // from the table
    private volatile @Nullable OwnedRegion region; // null: revoked

    Attachment(long id, int node, long incarnation, OwnedRegion region, ExposedMemory.@Nullable Grant grant) {
        this.id = id;
        this.node = node;
        this.incarnation = incarnation;
        this.region = region;
        this.grant = grant;
    }

    /** {@return the region; null when it is revoked} */
    @Nullable
    OwnedRegion region() {
        return region;
    }

    /** {@return whether the calling thread removes it} */
    boolean remove() {
        return isRemoved.compareAndSet(false, true);
    }

    boolean isRemoved() {
        return isRemoved.get();
    }

    byte @Nullable [] grantReply() {
        return grant == null ? null : grant.reply();
    }

    /** The listener gets what has arrived: the peer begins nothing more by this one. */
    void deliver() {
        if (grant != null) {
            grant.deliver();
        }
    }

    /** Ends the one-sided access of the peer. */
    void end() {
        if (grant != null) {
            grant.close();
        }
    }

    /** Its region is closed. */
    void revoke() {
        region = null;
    }

    /** Whether an access is allowed. */
    Status check(Right right, long offset, long length) {
        OwnedRegion of = region;
        if (of == null) {
            return Status.REVOKED;
        }
        if (!of.rights().contains(right)) {
            return Status.NO_RIGHT;
        }
        return offset < 0 || length < 0 || length > of.length() - offset ? Status.OUT_OF_BOUNDS : Status.OK;
    }
}
