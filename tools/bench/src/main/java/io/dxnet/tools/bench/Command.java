package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Request;

/** What the coordinator tells a node to do. */
final class Command extends Request<Answer> {
    /** The commands, in the order of a node's life. */
    enum Kind {
        /** Tell who you are. */
        JOIN,
        /** Get ready for a round; the values are {@link RoundSpec#encode}. */
        PREPARE,
        /** Start sending. */
        START,
        /** Tell what the round gave: {@link NodeResult}. */
        COLLECT,
        /** Leave. */
        STOP
    }

    private static final Kind[] KINDS = Kind.values();
    static final int SUBTYPE = 0;

    private Kind kind;
    private long[] values;

    Command() {}

    Command(int destination, Kind kind, long... values) {
        super(destination, Types.CONTROL, SUBTYPE);
        this.kind = kind;
        this.values = values;
    }

    Kind kind() {
        return kind;
    }

    long[] values() {
        return values;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeByte((byte) kind.ordinal());
        exporter.writeLongArray(values);
    }

    @Override
    public void importObject(Importer importer) {
        kind = KINDS[importer.readByte()];
        values = importer.readLongArray();
    }

    @Override
    public int sizeOfObject() {
        return 1 + ObjectSize.ofLongArray(values);
    }
}
