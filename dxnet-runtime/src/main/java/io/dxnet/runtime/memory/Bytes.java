package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;

/** Bytes that mean nothing, in messages. */
final class Bytes {
    private static final int STEP = 8192;
    private static final byte[] ZEROS = new byte[STEP];

    private Bytes() {}

    static void skip(Importer importer, int length) {
        byte[] step = new byte[Math.min(STEP, length)];
        for (int left = length; left > 0; left -= step.length) {
            importer.readBytes(step, 0, Math.min(left, step.length));
        }
    }

    static void fill(Exporter exporter, int length) {
        for (int left = length; left > 0; left -= STEP) {
            exporter.writeBytes(ZEROS, 0, Math.min(left, STEP));
        }
    }
}
