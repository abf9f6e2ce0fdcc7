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
    /** Of a notification. */
    static final int NOTIFICATION_BYTES = 2 * Long.BYTES + Integer.BYTES;
    /** The most bytes besides those that are written. */
    static final int HEADER_BYTES = 2 * Long.BYTES + 1 + NOTIFICATION_BYTES;

    private static final MessageAccess ACCESS = MessageAccess.get();

    private final @Nullable OwnedRegions regions; // null of an outgoing one
    private final StatusReply reply = new StatusReply(TYPE);
    private MemorySegment source = MemorySegment.NULL; // of an outgoing one
    private long attachment;
    private long offset;
    private boolean notifies; // the owner's listener, when it is written, of:
    private long notifiedOffset;
    private long notifiedLength;
    private int notifiedValue;
    private Status status = Status.OK; // of one that was received, as the next
    private @Nullable OwnedRegion region;

    /** One to be received. */
    WriteRequest(OwnedRegions regions) {
        this.regions = regions;
    }

    /** An outgoing one. */
    WriteRequest(int owner) {
        super(owner, TYPE);
        this.regions = null;
    }

    /** It writes so many bytes now, all of the source, and does not notify. */
    WriteRequest write(long of, long at, MemorySegment from) {
        attachment = of;
        offset = at;
        source = from;
        notifies = false;
        return this;
    }

    /** The owner's listener is notified of that write when this is carried out. */
    WriteRequest notify(long at, long length, int value) {
        notifies = true;
        notifiedOffset = at;
        notifiedLength = length;
        notifiedValue = value;
        return this;
    }

    StatusReply reply() {
        return reply;
    }

    @Override
    void forget() {
        super.forget();
        source = MemorySegment.NULL;
        region = null;
    }

    Status status() {
        return status;
    }

    /** {@return the region that was written; null where it was not} */
    @Nullable
    OwnedRegion region() {
        return region;
    }

    boolean notifies() {
        return notifies;
    }

    /** Notifies the listener of the region that was written. */
    void notify(OwnedRegion written) {
        written.notified(source(), notifiedOffset, notifiedLength, notifiedValue);
    }

    @Override
    protected StatusReply emptyResponse() {
        return reply;
    }

    @Override
    void exportPiece(Exporter exporter) {
        exporter.writeLong(attachment);
        exporter.writeLong(offset);
        exporter.writeBoolean(notifies);
        if (notifies) {
            exporter.writeLong(notifiedOffset);
            exporter.writeLong(notifiedLength);
            exporter.writeInt(notifiedValue);
        }
        exporter.writeBytes(source);
    }

    @Override
    @SuppressWarnings("NullAway") // one to be received has regions, and an origin
    public void importObject(Importer importer) {
        attachment = importer.readLong();
        offset = importer.readLong();
        region = null;
        notifies = importer.readBoolean();
        if (notifies) {
            notifiedOffset = importer.readLong();
            notifiedLength = importer.readLong();
            notifiedValue = importer.readInt();
            if (notifiedOffset < 0 || notifiedLength < 0) {
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
            importer.readBytes(target.segment(), offset, length);
            region = target;
        } finally {
            target.gate().exit();
        }
    }

    @Override
    public int sizeOfObject() {
        return 2 * Long.BYTES + 1 + (notifies ? NOTIFICATION_BYTES : 0) + Math.toIntExact(source.byteSize());
    }
}
