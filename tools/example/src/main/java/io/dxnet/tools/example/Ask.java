package io.dxnet.tools.example;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Request;

/**
 * Asks for the value of a key; for all keys without a key; sets the value first where there is one.
 */
final class Ask extends Request<Answer> {
    static final int SUBTYPE = 1;

    String key;
    String newValue;

    Ask() {}

    Ask(int destination, String key, String newValue) {
        super(destination, Add.TYPE, SUBTYPE);
        this.key = key;
        this.newValue = newValue;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeString(key);
        exporter.writeString(newValue);
    }

    @Override
    public void importObject(Importer importer) {
        key = importer.readString();
        newValue = importer.readString();
    }

    @Override
    public int sizeOfObject() {
        return ObjectSize.ofString(key) + ObjectSize.ofString(newValue);
    }
}
