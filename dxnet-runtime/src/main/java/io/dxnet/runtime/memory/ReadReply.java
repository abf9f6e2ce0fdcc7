package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.Response;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that were read, then the status, which is the last thing known; or the status alone.
 */
final class ReadReply extends Response {
    private final @Nullable ReadRequest asked; // null of an outgoing one
    private final @Nullable OwnedRegion region; // null of a refusal, or of one that was received
    private final long offset;
    private final int length;
    private Status status = Status.REVOKED;

    /** One to be received. */
    ReadReply(ReadRequest asked) {
        this.asked = asked;
        this.region = null;
        this.offset = 0;
        this.length = asked.length();
    }

    /** A refusal. */
    ReadReply(ReadRequest request, Status status) {
        super(request, ReadRequest.TYPE, 0);
        this.asked = null;
        this.region = null;
        this.offset = 0;
        this.length = 0;
        this.status = status;
    }

    /** The bytes of a region: they are read when the message is written. */
    ReadReply(ReadRequest request, OwnedRegion region) {
        super(request, ReadRequest.TYPE, 0);
        this.asked = null;
        this.region = region;
        this.offset = request.offset();
        this.length = request.length();
    }

    Status status() {
        return status;
    }

    @Override
    public void exportObject(Exporter exporter) {
        if (region != null) {
            if (region.gate().enter()) {
                try {
                    exporter.writeBytes(region.segment().asSlice(offset, length));
                } finally {
                    region.gate().exit();
                }
                status = Status.OK;
            } else {
                Bytes.fill(exporter, length);
                status = Status.REVOKED;
            }
        }
        exporter.writeByte(status.code());
    }

    @Override
    @SuppressWarnings("NullAway") // one to be received was asked for
    public void importObject(Importer importer) {
        boolean isRefusal = importer.remaining() == 1 && length > 0;
        if (!isRefusal) {
            if (importer.remaining() != length + 1) {
                throw new MessageFormatException(
                        "a read of " + length + " bytes was answered by " + (importer.remaining() - 1));
            }
            asked.fill(importer);
        }
        status = Status.of(importer.readByte());
        if (isRefusal && status == Status.OK) {
            throw new MessageFormatException("a read of " + length + " bytes was answered by none");
        }
    }

    @Override
    public int sizeOfObject() {
        return length + 1;
    }
}
