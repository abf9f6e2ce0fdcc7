package io.dxnet.tools.example;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.ObjectSize;

/** Adds to a number: a message without an answer. */
final class Add extends Message {
    static final int TYPE = 1;
    static final int SUBTYPE = 0;

    String key;
    long amount;

    Add() {}

    Add(int destination, String key, long amount) {
        super(destination, TYPE, SUBTYPE);
        this.key = key;
        this.amount = amount;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeString(key);
        exporter.writeLong(amount);
    }

    @Override
    public void importObject(Importer importer) {
        key = importer.readString();
        amount = importer.readLong();
    }

    @Override
    public int sizeOfObject() {
        return ObjectSize.ofString(key) + Long.BYTES;
    }
}
