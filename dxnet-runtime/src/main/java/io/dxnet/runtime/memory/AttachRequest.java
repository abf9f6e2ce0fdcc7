package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.ObjectSize;
import io.dxnet.memory.RemoteMemory;
import io.dxnet.runtime.request.ServiceRequest;

/** Asks for access to a region. */
final class AttachRequest extends ServiceRequest<AttachReply> {
    static final int TYPE = 0;
    /** What a device needs to know of the other node's. */
    static final int DEVICE_BYTES_MAX = 4096;

    private String name = "";
    private byte[] device = {};

    /** One to be received. */
    AttachRequest() {}

    /**
     * An outgoing one.
     *
     * @param device what the owner's device needs to know; empty where messages carry operations
     */
    AttachRequest(int owner, String name, byte[] device) {
        super(owner, TYPE);
        this.name = name;
        this.device = device;
    }

    String name() {
        return name;
    }

    byte[] device() {
        return device;
    }

    @Override
    protected AttachReply emptyResponse() {
        return new AttachReply();
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeString(name);
        exporter.writeByteArray(device);
    }

    @Override
    public void importObject(Importer importer) {
        String text = importer.readString();
        byte[] bytes = importer.readByteArray();
        if (text == null
                || text.length() > RemoteMemory.NAME_CHARS_MAX
                || bytes == null
                || bytes.length > DEVICE_BYTES_MAX) {
            throw new MessageFormatException("a request to attach without a name, or with a long one");
        }
        name = text;
        device = bytes;
    }

    @Override
    public int sizeOfObject() {
        return ObjectSize.ofString(name) + ObjectSize.ofByteArray(device);
    }
}
