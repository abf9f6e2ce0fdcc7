package io.dxnet.tools.verbs.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class TilesTest {
    private final Tiles tiles = new Tiles(8, 4);

    /** A product made tile by tile, as the kernel does. */
    private MemorySegment product(Arena arena) {
        MemorySegment a = arena.allocate(tiles.matrixBytes(), 8);
        MemorySegment b = arena.allocate(tiles.matrixBytes(), 8);
        MemorySegment c = arena.allocate(tiles.matrixBytes(), 8);
        tiles.fill(a, 1);
        tiles.fill(b, 2);
        for (int row = 0; row < 2; row++) {
            for (int column = 0; column < 2; column++) {
                double[] sum = new double[16];
                for (int k = 0; k < 2; k++) {
                    tiles.multiplyAdd(
                            a.asSlice(tiles.offset(row, k), tiles.tileBytes()),
                            b.asSlice(tiles.offset(k, column), tiles.tileBytes()),
                            sum);
                }
                MemorySegment.copy(sum, 0, c, ValueLayout.JAVA_DOUBLE, tiles.offset(row, column), 16);
            }
        }
        return c;
    }

    @Test
    void shouldFindAProductOfTilesRightAndEachChangeWrong() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment c = product(arena);
            assertThat(tiles.wrong(c, 1, 2)).isZero();
            assertThat(tiles.wrong(c, 2, 1)).isPositive();
            c.setAtIndex(ValueLayout.JAVA_DOUBLE, 17, c.getAtIndex(ValueLayout.JAVA_DOUBLE, 17) + 1);
            assertThat(tiles.wrong(c, 1, 2)).isOne();
        }
    }

    @Test
    void shouldRefuseHalfATile() {
        assertThatThrownBy(() -> new Tiles(10, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
