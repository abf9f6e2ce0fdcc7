package io.dxnet.memory;

import java.lang.foreign.MemorySegment;

/** A segment of this node that other nodes access. Any thread. */
public interface SharedRegion extends AutoCloseable {
    /** {@return its name} */
    String name();

    /** {@return the segment} */
    MemorySegment segment();

    /**
     * Sets the listener of notifications, instead of the one before. Those that came while
     * there was none were dropped.
     *
     * @param listener is called for each {@link RemoteRegion#writeAndNotify}
     */
    void onNotify(NotifyListener listener);

    /**
     * Divides the region into records with a version: see {@link VersionedRegion}.
     *
     * @param recordBytes the bytes of a record, 1 or more
     * @return the records, accessed locally
     * @throws IllegalArgumentException when not one record fits
     */
    VersionedRegion versioned(int recordBytes);

    /**
     * Revokes all access. When it returns, nothing of any peer writes to the segment any more; a
     * listener that is being called meanwhile may still run. Peers get
     * {@link RemoteMemoryException.RegionRevoked}. Waits for copies that are under way; closing
     * twice does nothing. A {@link NotifyListener} may call it.
     *
     * @throws IllegalStateException when a copy is not over in ten seconds: then one write may
     *     still come
     */
    @Override
    void close();
}
