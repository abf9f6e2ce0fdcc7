package io.dxnet.transport.ring;

import static io.dxnet.transport.ring.OutgoingRingBuffer.FULL;
import static io.dxnet.transport.ring.OutgoingRingBuffer.LOCKED_OUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ring by one thread: what it refuses, what it publishes, and where positions and indexes wrap.
 */
class OutgoingRingBufferTest {
    private static final int CAPACITY = 4096;
    private static final int ENTRIES = 16;
    private static final long WINDOW = 1L << 40;

    private static OutgoingRingBuffer ring(long start) {
        return new OutgoingRingBuffer(Arena.ofAuto().allocate(CAPACITY), ENTRIES, WINDOW, start);
    }

    private static OutgoingRingBuffer ring() {
        return ring(0);
    }

    private static long claim(OutgoingRingBuffer ring, int bytes) {
        long claim = ring.tryClaim(bytes, Window.OBSERVED);
        assertThat(claim).isGreaterThanOrEqualTo(0);
        return claim;
    }

    private static void send(OutgoingRingBuffer ring, int bytes) {
        ring.commit(claim(ring, bytes), bytes);
    }

    private static void drain(OutgoingRingBuffer ring) {
        int bytes = ring.readable();
        ring.post(bytes);
        ring.confirm(bytes);
    }

    @Test
    void shouldThrowWhenItsSizeIsNoPowerOfTwo() {
        MemorySegment odd = Arena.ofAuto().allocate(4097);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutgoingRingBuffer(odd, ENTRIES, WINDOW))
                .withMessageContaining("4097");
        MemorySegment good = Arena.ofAuto().allocate(CAPACITY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutgoingRingBuffer(good, 17, WINDOW))
                .withMessageContaining("17");
        int tooMany = 2 * RingDescriptor.CUB_ENTRIES_MAX;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutgoingRingBuffer(good, tooMany, WINDOW))
                .withMessageContaining("" + tooMany);
    }

    @Test
    void shouldShowNothingBeforeTheCommit() {
        OutgoingRingBuffer ring = ring();
        long claim = claim(ring, 100);
        assertThat(ring.readable()).isZero();
        assertThat(ring.isDrained()).isFalse();
        assertThat(ring.pending()).isEqualTo(100);
        ring.commit(claim, 100);
        assertThat(ring.readable()).isEqualTo(100);
        assertThat(ring.backlog()).isEqualTo(100);
        drain(ring);
        assertThat(ring.readable()).isZero();
        assertThat(ring.isDrained()).isTrue();
        assertThat(ring.pending()).isZero();
    }

    @Test
    void shouldShowRegionsInTheOrderOfClaimsWhenCommittedInAnyOrder() {
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        OutgoingRingBuffer ring = ring();
        for (int lap = 0; lap < 200; lap++) {
            int[] sizes = {10, 20, 30};
            long[] claims = {claim(ring, 10), claim(ring, 20), claim(ring, 30)};
            boolean[] done = new boolean[3];
            for (int next : orders[lap % orders.length]) {
                ring.commit(claims[next], sizes[next]);
                done[next] = true;
                int front = !done[0] ? 0 : !done[1] ? 10 : !done[2] ? 30 : 60;
                assertThat(ring.readable()).isEqualTo(front);
            }
            drain(ring);
        }
    }

    @Test
    void shouldBeFullWhenTheRegionDoesNotFit() {
        OutgoingRingBuffer ring = ring();
        assertThat(ring.tryClaim(CAPACITY + 1, Window.OBSERVED)).isEqualTo(FULL);
        send(ring, CAPACITY - 10);
        assertThat(ring.tryClaim(11, Window.OBSERVED)).isEqualTo(FULL);
        assertThat(ring.tryClaim(11, Window.IGNORED))
                .as("the window is not the reason")
                .isEqualTo(FULL);
        send(ring, 10);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(FULL);
        ring.post(1);
        assertThat(ring.tryClaim(1, Window.OBSERVED))
                .as("posted is not confirmed")
                .isEqualTo(FULL);
        ring.confirm(1);
        send(ring, 1);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(FULL);
    }

    @Test
    void shouldBeFullWhenTheCatchUpBufferIs() {
        OutgoingRingBuffer ring = ring();
        long first = claim(ring, 1);
        for (int i = 1; i < ENTRIES; i++) {
            send(ring, 1);
        }
        assertThat(ring.readable()).isZero();
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(FULL);
        ring.commit(first, 1);
        assertThat(ring.readable()).isEqualTo(ENTRIES);
        send(ring, 1);
        assertThat(ring.readable()).isEqualTo(ENTRIES + 1);
    }

    @Test
    void shouldBeFullWhenTheWindowIsUsedUp() {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(Arena.ofAuto().allocate(CAPACITY), ENTRIES, 100);
        send(ring, 99);
        assertThat(ring.unconfirmed(100)).isEqualTo(99);
        send(ring, 50); // starts inside
        assertThat(ring.unconfirmed(100)).isEqualTo(149);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(FULL);
        ring.commit(ring.tryClaim(1, Window.IGNORED), 1);
        ring.extendWindow(50);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).as("used up to the byte").isEqualTo(FULL);
        ring.extendWindow(1);
        send(ring, 1);
        assertThat(ring.unconfirmed(100)).isEqualTo(100);
    }

    @Test
    void shouldSplitWhatIsReadableAtTheEndOfTheMemory() {
        OutgoingRingBuffer ring = ring();
        send(ring, CAPACITY - 10);
        drain(ring);
        long claim = claim(ring, 30);
        assertThat(ring.offset(claim)).isEqualTo(CAPACITY - 10);
        ring.commit(claim, 30);
        assertThat(ring.readable()).isEqualTo(30);
        assertThat(ring.readableContiguous()).isEqualTo(10);
        ring.post(10);
        assertThat(ring.offset(ring.postedPosition())).isZero();
        assertThat(ring.readableContiguous()).isEqualTo(20);
    }

    @Test
    void shouldLetOneThreadStream() {
        OutgoingRingBuffer ring = ring();
        long before = claim(ring, 96);
        assertThat(ring.tryLock()).isTrue();
        assertThat(ring.tryLock()).isFalse();
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(LOCKED_OUT);
        assertThat(ring.tryClaimLocked(100_000, Window.OBSERVED))
                .as("what is free")
                .isEqualTo(CAPACITY - 96);
        assertThat(ring.offset(ring.lockedClaim())).isEqualTo(96);
        ring.commit(ring.lockedClaim(), CAPACITY - 96);
        assertThat(ring.readable())
                .as("the region claimed before is sent before")
                .isZero();
        ring.commit(before, 96);
        assertThat(ring.readable()).isEqualTo(CAPACITY);
        assertThat(ring.tryClaimLocked(5, Window.OBSERVED)).isZero();
        drain(ring);
        assertThat(ring.tryClaimLocked(5, Window.OBSERVED)).isEqualTo(5);
        ring.commit(ring.lockedClaim(), 5);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(LOCKED_OUT);
        ring.unlock();
        send(ring, 7);
        assertThat(ring.readable()).isEqualTo(12);
    }

    @Test
    void shouldKeepTheWindowWhenAThreadStreams() {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(Arena.ofAuto().allocate(CAPACITY), ENTRIES, 100);
        assertThat(ring.tryLock()).isTrue();
        assertThat(ring.tryClaimLocked(100, Window.OBSERVED)).isEqualTo(100);
        ring.commit(ring.lockedClaim(), 100);
        assertThat(ring.tryClaimLocked(100, Window.OBSERVED)).isZero();
        assertThat(ring.tryClaimLocked(10, Window.IGNORED)).isEqualTo(10);
    }

    @Test
    void shouldRefuseClaimsWhenClosed() {
        OutgoingRingBuffer ring = ring();
        long claim = claim(ring, 10);
        ring.close();
        ring.close();
        assertThat(ring.tryClaim(1, Window.IGNORED)).isEqualTo(LOCKED_OUT);
        assertThat(ring.tryLock()).isFalse();
        assertThat(ring.isQuiescent()).as("a region is being written").isFalse();
        ring.commit(claim, 10);
        assertThat(ring.isQuiescent()).isTrue();
        assertThat(ring.readable()).isEqualTo(10);
        ring.open();
        assertThat(ring.isQuiescent()).isFalse();
        send(ring, 5);
        assertThat(ring.readable()).isEqualTo(15);
    }

    @Test
    void shouldStayClosedWhenAStreamEnds() {
        OutgoingRingBuffer ring = ring();
        assertThat(ring.tryLock()).isTrue();
        assertThat(ring.tryClaimLocked(10, Window.OBSERVED)).isEqualTo(10);
        ring.close();
        assertThat(ring.tryClaimLocked(10, Window.OBSERVED)).isEqualTo(-1);
        ring.commit(ring.lockedClaim(), 10);
        assertThat(ring.isQuiescent()).as("the stream's thread is still there").isFalse();
        ring.unlock();
        assertThat(ring.isQuiescent()).isTrue();
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(LOCKED_OUT);
    }

    /**
     * Many laps of memory, CUB and 14-bit indexes, across the wrap of 48-bit positions,
     * with regions committed in pairs.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, (1L << 48) - 1, (1L << 48) - 100_000, (1L << 47) - 100_000, 1L << 47})
    void shouldGoOnWhenPositionsAndIndexesWrap(long start) {
        OutgoingRingBuffer ring = ring(start);
        long stream = start;
        for (int i = 0; i < 40_000; i++) {
            int one = 1 + i % 37;
            int other = 1 + i % 11;
            long first = claim(ring, one);
            long second = claim(ring, other);
            assertThat(ring.offset(first)).isEqualTo((int) (stream % CAPACITY));
            ring.commit(second, other);
            if (ring.readable() != 0) {
                throw new AssertionError("sees an unfinished region, round " + i);
            }
            ring.commit(first, one);
            stream += one + other;
            if (ring.readable() != one + other || ring.committedPosition() != (stream & (1L << 48) - 1)) {
                throw new AssertionError("lost the front, round " + i);
            }
            drain(ring);
        }
        assertThat(ring.isDrained()).isTrue();
    }

    @Test
    void shouldBeFullAndEmptyAcrossTheWrapOfPositions() {
        OutgoingRingBuffer ring = ring((1L << 48) - CAPACITY / 2);
        send(ring, CAPACITY);
        assertThat(ring.tryClaim(1, Window.OBSERVED)).isEqualTo(FULL);
        assertThat(ring.readable()).isEqualTo(CAPACITY);
        assertThat(ring.backlog()).isEqualTo(CAPACITY);
        assertThat(ring.pending()).isEqualTo(CAPACITY);
        drain(ring);
        assertThat(ring.isDrained()).isTrue();
        send(ring, CAPACITY);
        assertThat(ring.readable()).isEqualTo(CAPACITY);
    }
}
