package io.dxnet.tools.ledger.node;

import io.dxnet.tools.ledger.book.Kind;
import io.dxnet.tools.ledger.book.Stream;
import java.util.Arrays;

/**
 * A message of {@link Types#VALUE}, which is checked.
 *
 * @param word its name, see {@link Stream}
 * @param receiver the receiving node
 * @param content that follows from the name, of any length
 */
record BookedValue(long word, int receiver, byte[] content) {
    /** One with a content of so many bytes. */
    static BookedValue of(long word, int receiver, int bytes) {
        return new BookedValue(word, receiver, Payload.content(word, bytes + Payload.BYTES_MIN));
    }

    boolean isIntactAt(int node) {
        return receiver == node
                && Stream.kind(word) == Kind.VALUE
                && Arrays.equals(content, Payload.content(word, content.length + Payload.BYTES_MIN));
    }
}
