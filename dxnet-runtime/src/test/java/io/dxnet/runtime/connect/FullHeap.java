package io.dxnet.runtime.connect;

/** An error for whose text there is no memory either. */
@SuppressWarnings("serial") // never serialized
final class FullHeap extends OutOfMemoryError {
    FullHeap() {
        super("the test wants it");
    }

    @Override
    public String toString() {
        throw new OutOfMemoryError("of the text: the test wants it");
    }
}
