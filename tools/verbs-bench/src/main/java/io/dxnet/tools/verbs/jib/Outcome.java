package io.dxnet.tools.verbs.jib;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What one end reports of a run.
 *
 * @param nanos from its first post to its last completion, 0 where it did nothing
 * @param checked messages whose content was compared
 * @param corrupt those that were wrong
 */
record Outcome(long nanos, long checked, long corrupt) {
    static final Outcome PASSIVE = new Outcome(0, 0, 0);

    Outcome plus(Outcome other) {
        return new Outcome(Math.max(nanos, other.nanos), checked + other.checked, corrupt + other.corrupt);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeLong(nanos);
        out.writeLong(checked);
        out.writeLong(corrupt);
    }

    static Outcome read(DataInputStream in) throws IOException {
        return new Outcome(in.readLong(), in.readLong(), in.readLong());
    }
}
