package io.dxnet.codec;

import io.dxnet.Exporter;
import java.util.Collection;
import java.util.ConcurrentModificationException;

/**
 * Walks over collections that have no index. The iterator is an object,
 * unless the compiler removes it.
 */
final class Iteration {
    private Iteration() {}

    static void write(Collection<?> values, int count, ValueCodec element, String where, Exporter to, int depth) {
        int written = 0;
        for (Object value : values) {
            element.write(Required.present(value, where), to, depth);
            written++;
        }
        check(count, written);
    }

    static int size(Collection<?> values, ValueCodec element, String where, int depth) {
        int bytes = 0;
        for (Object value : values) {
            bytes = Math.addExact(bytes, element.size(Required.present(value, where), depth));
        }
        return bytes;
    }

    static void check(int announced, int written) {
        if (announced != written) {
            throw new ConcurrentModificationException("a collection of " + announced + " elements had " + written
                    + " when it was written: do not change a message while it is being sent");
        }
    }
}
