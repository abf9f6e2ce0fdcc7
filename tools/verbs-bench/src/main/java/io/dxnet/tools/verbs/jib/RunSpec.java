package io.dxnet.tools.verbs.jib;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One run, as both ends know it.
 *
 * @param point what is measured
 * @param messages of each end that sends
 * @param seed of the payloads
 * @param verify whether every byte is checked
 */
record RunSpec(Case point, long messages, long seed, boolean verify) {
    private static final Pattern[] PATTERNS = Pattern.values();
    private static final Transfer[] TRANSFERS = Transfer.values();

    void write(DataOutputStream out) throws IOException {
        out.writeByte(point.pattern().ordinal());
        out.writeByte(point.transfer().ordinal());
        out.writeInt(point.size());
        out.writeLong(messages);
        out.writeLong(seed);
        out.writeBoolean(verify);
    }

    static RunSpec read(DataInputStream in) throws IOException {
        Case point = new Case(PATTERNS[in.readByte()], TRANSFERS[in.readByte()], in.readInt());
        return new RunSpec(point, in.readLong(), in.readLong(), in.readBoolean());
    }
}
