package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.ObjectSize;

/** A message between nodes in the course of a round, without an answer. */
final class Note extends Message {
    /** The notes. */
    enum Kind {
        /**
         * To a receiver: its source has sent all; the values are the
         * messages that each of the source's threads sent to it.
         */
        SENT,
        /** To the coordinator: sent and processed so far. */
        PROGRESS,
        /**
         * To the coordinator: all that was sent to this node is processed, or nothing more arrives.
         */
        DONE
    }

    private static final Kind[] KINDS = Kind.values();
    static final int SUBTYPE = 2;

    private Kind kind;
    private int round;
    private long[] values;

    Note() {}

    Note(int destination, Kind kind, int round, long... values) {
        super(destination, Types.CONTROL, SUBTYPE);
        this.kind = kind;
        this.round = round;
        this.values = values;
    }

    Kind kind() {
        return kind;
    }

    int round() {
        return round;
    }

    long[] values() {
        return values;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeByte((byte) kind.ordinal());
        exporter.writeInt(round);
        exporter.writeLongArray(values);
    }

    @Override
    public void importObject(Importer importer) {
        kind = KINDS[importer.readByte()];
        round = importer.readInt();
        values = importer.readLongArray();
    }

    @Override
    public int sizeOfObject() {
        return 5 + ObjectSize.ofLongArray(values);
    }
}
