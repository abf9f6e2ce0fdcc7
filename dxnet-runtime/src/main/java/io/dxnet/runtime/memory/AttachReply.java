package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import io.dxnet.Response;
import io.dxnet.memory.Right;
import java.util.EnumSet;
import java.util.Set;

/** What a peer needs of a region that it may access, or why it may not. */
final class AttachReply extends Response {
    private static final Right[] RIGHTS = Right.values();

    private Status status = Status.NO_REGION;
    private long attachment;
    private long region;
    private long length;
    private int pieceMax;
    private int rights;
    private byte[] device = {};

    /** One to be received. */
    AttachReply() {}

    /** A refusal. */
    AttachReply(AttachRequest request, Status status) {
        super(request, AttachRequest.TYPE, 0);
        this.status = status;
    }

    /** A grant. */
    AttachReply(AttachRequest request, Attachment granted, OwnedRegion region, int pieceMax) {
        this(request, Status.OK);
        this.attachment = granted.id;
        this.region = region.id();
        this.length = region.length();
        this.pieceMax = pieceMax;
        for (Right right : region.rights()) {
            rights |= 1 << right.ordinal();
        }
        byte[] reply = granted.grantReply();
        if (reply != null) {
            device = reply;
        }
    }

    Status status() {
        return status;
    }

    long attachment() {
        return attachment;
    }

    /** {@return the region's number in its owner's incarnation} */
    long region() {
        return region;
    }

    long length() {
        return length;
    }

    /** {@return the most bytes of one message that the owner accepts and sends} */
    int pieceMax() {
        return pieceMax;
    }

    Set<Right> rights() {
        Set<Right> set = EnumSet.noneOf(Right.class);
        for (Right right : RIGHTS) {
            if ((rights >> right.ordinal() & 1) != 0) {
                set.add(right);
            }
        }
        return set;
    }

    /** {@return what this node's device needs to know; empty where messages carry operations} */
    byte[] device() {
        return device;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeByte(status.code());
        exporter.writeLong(attachment);
        exporter.writeLong(region);
        exporter.writeLong(length);
        exporter.writeInt(pieceMax);
        exporter.writeByte((byte) rights);
        exporter.writeByteArray(device);
    }

    @Override
    public void importObject(Importer importer) {
        status = Status.of(importer.readByte());
        attachment = importer.readLong();
        region = importer.readLong();
        length = importer.readLong();
        pieceMax = importer.readInt();
        rights = importer.readByte();
        byte[] bytes = importer.readByteArray();
        boolean isGrant = status == Status.OK;
        if (bytes == null || bytes.length > AttachRequest.DEVICE_BYTES_MAX || isGrant && (length < 0 || pieceMax < 1)) {
            throw new MessageFormatException(
                    "a grant of " + length + " bytes, " + pieceMax + " in a message, or without its device's bytes");
        }
        device = bytes;
    }

    @Override
    public int sizeOfObject() {
        return 2 + 3 * Long.BYTES + Integer.BYTES + ObjectSize.ofByteArray(device);
    }
}
