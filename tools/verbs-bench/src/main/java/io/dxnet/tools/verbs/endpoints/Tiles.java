package io.dxnet.tools.verbs.endpoints;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Square matrices of small whole numbers in tiles, each of which lies in one piece: a tile is a
 * message. All sums are exact, in any order.
 */
final class Tiles {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;

    private final int size;
    private final int tile;

    /**
     * A layout.
     *
     * @param size rows and columns, a multiple of {@code tile}
     * @param tile rows and columns of a tile
     */
    Tiles(int size, int tile) {
        if (size % tile != 0) {
            throw new IllegalArgumentException("a matrix of " + size + " has no whole number of tiles of " + tile);
        }
        this.size = size;
        this.tile = tile;
    }

    int perSide() {
        return size / tile;
    }

    long tileBytes() {
        return (long) tile * tile * Double.BYTES;
    }

    long matrixBytes() {
        return (long) size * size * Double.BYTES;
    }

    /** Where a tile begins in its matrix. */
    long offset(int row, int column) {
        return ((long) row * perSide() + column) * tileBytes();
    }

    private long offsetOf(int row, int column) {
        return offset(row / tile, column / tile) + ((long) (row % tile) * tile + column % tile) * Double.BYTES;
    }

    /** Fills a matrix with numbers that follow from their place. */
    void fill(MemorySegment matrix, int seed) {
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                matrix.set(DOUBLE, offsetOf(row, column), value(seed, row, column));
            }
        }
    }

    private static double value(int seed, int row, int column) {
        return (row * 31L + column * 17L + seed * 7L) % 11 - 5;
    }

    /** Adds the product of two tiles to a third; the arrays are for the numbers on their way. */
    void multiplyAdd(MemorySegment a, MemorySegment b, double[] sum) {
        for (int i = 0; i < tile; i++) {
            for (int k = 0; k < tile; k++) {
                double left = a.getAtIndex(DOUBLE, (long) i * tile + k);
                for (int j = 0; j < tile; j++) {
                    sum[i * tile + j] += left * b.getAtIndex(DOUBLE, (long) k * tile + j);
                }
            }
        }
    }

    /** Counts the numbers of a product that are wrong. */
    long wrong(MemorySegment product, int seedOfA, int seedOfB) {
        long wrong = 0;
        double[] row = new double[size];
        for (int i = 0; i < size; i++) {
            java.util.Arrays.fill(row, 0);
            for (int k = 0; k < size; k++) {
                double left = value(seedOfA, i, k);
                for (int j = 0; j < size; j++) {
                    row[j] += left * value(seedOfB, k, j);
                }
            }
            for (int j = 0; j < size; j++) {
                if (product.get(DOUBLE, offsetOf(i, j)) != row[j]) {
                    wrong++;
                }
            }
        }
        return wrong;
    }
}
