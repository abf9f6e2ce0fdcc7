package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.memory.Right;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.spi.MessageAccess;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Writes a piece: the owner reads its bytes from the received buffer straight into the segment. */
final class WriteRequest extends PieceRequest<StatusReply> {
    static final int TYPE = 2;
    /** The most bytes besides those that are written. */
    static final int HEADER_BYTES = 2 * Long.BYTES + 1 + Notification.BYTES;

    private static final MessageAccess ACCESS = MessageAccess.get();

    /** What the owner's listener gets when the piece is written. */
    record Notification(long offset, long length, int value) {
        static final int BYTES = 2 * Long.BYTES + Integer.BYTES;
    }

    private final @Nullable OwnedRegions regions; // null of an outgoing one
    private final MemorySegment source; // of an outgoing one
    private long attachment;
    private long offset;
    private @Nullable Notification notification;
    private Status status = Status.OK; // of one that was received, as the next
    private @Nullable OwnedRegion region;

    /** One to be received. */
    WriteRequest(OwnedRegions regions) {
        this.regions = regions;
        this.source = MemorySegment.NULL;
    }

    /** An outgoing one. */
    WriteRequest(int owner, long attachment, long offset, MemorySegment source, @Nullable Notification notification) {
        super(owner, TYPE);
        this.regions = null;
        this.attachment = attachment;
        this.offset = offset;
        this.source = source;
        this.notification = notification;
    }

    Status status() {
        return status;
    }

    /** {@return the region that was written; null where it was not} */
    @Nullable
    OwnedRegion region() {
        return region;
    }

    @Nullable
    Notification notification() {
        return notification;
    }

    @Override
    protected StatusReply emptyResponse() {
        return new StatusReply();
    }

    @Override
    void exportPiece(Exporter exporter) {
        exporter.writeLong(attachment);
        exporter.writeLong(offset);
        exporter.writeBoolean(notification != null);
        if (notification != null) {
            exporter.writeLong(notification.offset);
            exporter.writeLong(notification.length);
            exporter.writeInt(notification.value);
        }
        exporter.writeBytes(source);
    }

    @Override
    @SuppressWarnings("NullAway") // one to be received has regions, and an origin
    public void importObject(Importer importer) {
        attachment = importer.readLong();
        offset = importer.readLong();
        if (importer.readBoolean()) {
            notification = new Notification(importer.readLong(), importer.readLong(), importer.readInt());
            if (notification.offset < 0 || notification.length < 0) {
                throw new MessageFormatException("a notification of a negative range");
            }
        }
        int length = importer.remaining();
        PeerConnection from = (PeerConnection) ACCESS.origin(this);
        Attachment granted = regions.find(attachment, from);
        status = granted == null ? Status.UNKNOWN_ATTACHMENT : granted.check(Right.WRITE, offset, length);
        OwnedRegion target = granted == null ? null : granted.region();
        if (status == Status.OK && (target == null || !target.gate().enter())) {
            status = Status.REVOKED;
        }
        if (status != Status.OK) {
            Bytes.skip(importer, length);
            return;
        }
        try {
            importer.readBytes(target.segment().asSlice(offset, length));
            region = target;
        } finally {
            target.gate().exit();
        }
    }

    @Override
    public int sizeOfObject() {
        return 2 * Long.BYTES
                + 1
                + (notification == null ? 0 : Notification.BYTES)
                + Math.toIntExact(source.byteSize());
    }
}
