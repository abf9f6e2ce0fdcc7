package io.dxnet.codec;

/**
 * What is known of the size of every value of a type.
 *
 * @param bytesMin the size of the smallest value, null included where it is one
 * @param isFixed whether every value has that size
 * @param isRecursive whether a value may contain values of its own type, or of one that does
 */
record Extent(int bytesMin, boolean isFixed, boolean isRecursive) {
    /** A value that holds itself only through a marker, a tag or a count: at least one byte. */
    static final Extent OF_RECURSION = new Extent(1, false, true);

    static Extent fixed(int bytes) {
        return new Extent(bytes, true, false);
    }

    static Extent atLeast(int bytes) {
        return new Extent(bytes, false, false);
    }

    /** {@return the extent of both, one after the other} */
    Extent and(Extent next) {
        return new Extent(
                Math.addExact(bytesMin, next.bytesMin), isFixed && next.isFixed, isRecursive || next.isRecursive);
    }

    /**
     * {@return the extent of a count, tag or marker of one byte or
     * more before values of this extent}
     */
    Extent counted() {
        return new Extent(1, false, isRecursive);
    }
}
