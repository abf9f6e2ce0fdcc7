package io.dxnet.tools.example;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Response;

/** Answers {@link Ask} with some strings, null among them. */
final class Answer extends Response {
    static final int SUBTYPE = 2;

    String[] strings;

    Answer() {}

    Answer(Ask ask, String... strings) {
        super(ask, Add.TYPE, SUBTYPE);
        this.strings = strings;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeInt(strings.length);
        for (String string : strings) {
            exporter.writeString(string);
        }
    }

    @Override
    public void importObject(Importer importer) {
        strings = new String[importer.readInt()];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = importer.readString();
        }
    }

    @Override
    public int sizeOfObject() {
        int size = Integer.BYTES;
        for (String string : strings) {
            size += ObjectSize.ofString(string);
        }
        return size;
    }
}
