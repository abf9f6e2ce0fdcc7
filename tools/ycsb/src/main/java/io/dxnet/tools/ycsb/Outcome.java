package io.dxnet.tools.ycsb;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Response;

/** What came of an {@link Operation}. */
final class Outcome extends Response {
    static final int SUBTYPE = 1;

    private boolean found;
    private byte[] row;

    Outcome() {}

    /**
     * An answer.
     *
     * @param found whether there was, or now is, such a record
     * @param row what was read, or null
     */
    Outcome(Operation operation, boolean found, byte[] row) {
        super(operation, Operation.TYPE, SUBTYPE);
        this.found = found;
        this.row = row;
    }

    boolean found() {
        return found;
    }

    /** What was read, or null. */
    byte[] row() {
        return row;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeBoolean(found);
        exporter.writeByteArray(row);
    }

    @Override
    public void importObject(Importer importer) {
        found = importer.readBoolean();
        row = importer.readByteArray();
    }

    @Override
    public int sizeOfObject() {
        return 1 + ObjectSize.ofByteArray(row);
    }
}
