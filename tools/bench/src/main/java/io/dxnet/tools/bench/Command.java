package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Request;

/** A command of the coordinator to a node. */
final class Command extends Request<Answer> {
    /** The commands, in the order of a node's life. */
    enum Kind {
        /** Describe the node: its process and its DXNet. */
        JOIN,
        /** Share memory with the nodes that access it; the values are {@link RoundSpec#encode}. */
        SHARE,
        /** Prepare a round; the values are {@link RoundSpec#encode}. */
        PREPARE,
        /** Start sending. */
        START,
        /** Return the result of the round: {@link NodeResult}. */
        COLLECT,
        /** End. */
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
