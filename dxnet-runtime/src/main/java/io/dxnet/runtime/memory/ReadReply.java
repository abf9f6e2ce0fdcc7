package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.Response;
import io.dxnet.spi.MessageAccess;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that were read, then the status, which is the last thing known; or the status alone.
 */
final class ReadReply extends Response {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private final ReadRequest request;
    private @Nullable OwnedRegion region; // null of a refusal, or of one that was received
    private Status status = Status.REVOKED;

    /** Of a request: to be received, or to be written. */
    ReadReply(ReadRequest request) {
        this.request = request;
        ACCESS.outgoing(this, ReadRequest.TYPE, 0);
    }

    /** It is a refusal. */
    ReadReply refuse(Status reason) {
        region = null;
        status = reason;
        return this;
    }

    /** It has the bytes of a region, which are read when it is written. */
    ReadReply carry(OwnedRegion of) {
        region = of;
        return this;
    }

    /** It was written. */
    void forget() {
        region = null;
    }

    Status status() {
        return status;
    }

    @Override
    public void exportObject(Exporter exporter) {
        OwnedRegion of = region;
        if (of != null) {
            if (of.gate().enter()) {
                try {
                    exporter.writeBytes(of.segment(), request.offset(), request.length());
                } finally {
                    of.gate().exit();
                }
                status = Status.OK;
            } else {
                Bytes.fill(exporter, request.length());
                status = Status.REVOKED;
            }
        }
        exporter.writeByte(status.code());
    }

    @Override
    public void importObject(Importer importer) {
        int length = request.length();
        boolean isRefusal = importer.remaining() == 1 && length > 0;
        if (!isRefusal) {
            if (importer.remaining() != length + 1) {
                throw new MessageFormatException(
                        "a read of " + length + " bytes was answered by " + (importer.remaining() - 1));
            }
            request.fill(importer);
        }
        status = Status.of(importer.readByte());
        if (isRefusal && status == Status.OK) {
            throw new MessageFormatException("a read of " + length + " bytes was answered by none");
        }
    }

    @Override
    public int sizeOfObject() {
        return region == null ? 1 : request.length() + 1;
    }
}
