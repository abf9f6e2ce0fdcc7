package io.dxnet.tools.verbs.endpoints;

/**
 * A grid of numbers and the 5-point stencil on it; what lies around it stays as it was. Part of a
 * larger grid: rows are counted in the whole. Threads that share it compute different columns.
 */
final class StencilGrid {
    private final int rows;
    private final int columns;
    private double[] now;
    private double[] then;

    /**
     * Fills a part of the grid, and what is around it, with the numbers of their places.
     *
     * @param firstRow in the whole grid
     * @param rows of this part
     * @param columns of the whole grid
     */
    StencilGrid(int firstRow, int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        now = new double[(rows + 2) * (columns + 2)];
        for (int row = 0; row < rows + 2; row++) {
            for (int column = 0; column < columns + 2; column++) {
                now[index(row, column)] = (firstRow + row) * 0.37 % 1.9 + column * 0.11 % 0.7;
            }
        }
        then = now.clone();
    }

    /** Rows and columns count from 1; 0 and the ones behind the last are around the grid. */
    int index(int row, int column) {
        return row * (columns + 2) + column;
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /** The numbers of this step. */
    double[] now() {
        return now;
    }

    /** Computes the next step of some columns. */
    void compute(int firstColumn, int count) {
        int width = columns + 2;
        for (int row = 1; row <= rows; row++) {
            int begin = index(row, firstColumn);
            for (int i = begin; i < begin + count; i++) {
                then[i] = 0.2 * (now[i] + now[i - 1] + now[i + 1] + now[i - width] + now[i + width]);
            }
        }
    }

    /** The next step becomes this one; by one thread, while none computes. */
    void swap() {
        double[] old = now;
        now = then;
        then = old;
    }
}
