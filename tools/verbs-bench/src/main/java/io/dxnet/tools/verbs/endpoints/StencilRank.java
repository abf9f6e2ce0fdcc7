package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Idle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process of the stencil: a band of the grid and the threads that
 * compute it. Made by one thread, then used by its members.
 */
final class StencilRank {
    private static final int SIDES = 2;
    /** A neighbour may be one step ahead: two places for each row, in turn. */
    private static final int TURNS = 2;

    private final Stencil.Settings settings;
    private final int rank;
    private final Endpoints endpoints;
    private final StencilGrid grid;
    /** Of each thread: for each side and turn the received row, then the row to send. */
    private final List<MemoryRegion> rows = new ArrayList<>();

    private final CyclicBarrier barrier;
    private StencilRank above;
    private StencilRank below;

    StencilRank(Stencil.Settings settings, int rank, Endpoints endpoints) {
        this.settings = settings;
        this.rank = rank;
        this.endpoints = endpoints;
        grid = new StencilGrid(rank * settings.rowsPerRank(), settings.rowsPerRank(), settings.columns());
        barrier = new CyclicBarrier(settings.threadsPerRank(), grid::swap);
        for (int thread = 0; thread < settings.threadsPerRank(); thread++) {
            rows.add(endpoints
                    .lane(thread)
                    .domain()
                    .allocate(2L * SIDES * TURNS * rowBytes(), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        }
    }

    private long rowBytes() {
        return (long) settings.columnsPerThread() * Double.BYTES;
    }

    private long incoming(int side, int turn) {
        return (side * (long) TURNS + turn) * rowBytes();
    }

    private long outgoing(int side, int turn) {
        return (SIDES + side) * TURNS * rowBytes() + turn * rowBytes();
    }

    Endpoints endpoints() {
        return endpoints;
    }

    /** The queue pairs are connected; now the memory is known too. */
    void connectTo(StencilRank lower) {
        below = lower;
        lower.above = this;
    }

    private StencilRank neighbour(int side) {
        return side == Stencil.UP ? above : below;
    }

    /** Of each queue pair two for each thread: a neighbour may be one step ahead. */
    void postReceives() {
        for (int thread = 0; thread < settings.threadsPerRank(); thread++) {
            for (int side = 0; side < SIDES; side++) {
                for (int turn = 0; turn < TURNS && neighbour(side) != null; turn++) {
                    endpoints.lane(thread).postReceive(side);
                }
            }
        }
    }

    Resources resources() {
        return endpoints.resources(
                rows.size(), rows.stream().mapToLong(MemoryRegion::byteSize).sum());
    }

    List<Team.Member> members() {
        List<Team.Member> members = new ArrayList<>();
        for (int thread = 0; thread < settings.threadsPerRank(); thread++) {
            members.add(new Member(thread));
        }
        return members;
    }

    /** Numbers of this band that differ from those of the whole grid. */
    long wrong(StencilGrid whole) {
        long wrong = 0;
        for (int row = 1; row <= grid.rows(); row++) {
            for (int column = 1; column <= grid.columns(); column++) {
                double expected = whole.now()[whole.index(rank * settings.rowsPerRank() + row, column)];
                if (grid.now()[grid.index(row, column)] != expected) {
                    wrong++;
                }
            }
        }
        return wrong;
    }

    /**
     * One thread: exchanges rows, computes its columns, waits for the other threads of the rank.
     */
    private final class Member implements Team.Member {
        private final int thread;
        private final Lane lane;
        private final MemoryRegion memory;
        private final int columns = settings.columnsPerThread();
        private final int firstColumn;
        private final SendChain chain = new SendChain(1, 1);
        private final Idle idle;

        Member(int thread) {
            this.thread = thread;
            lane = endpoints.lane(thread);
            memory = rows.get(thread);
            firstColumn = 1 + thread * columns;
            idle = new Idle("stencil", Duration.ofSeconds(settings.stallSeconds()), settings.threads());
        }

        @Override
        public void run(AtomicBoolean stop) throws InterruptedException {
            for (int step = 0; step < settings.steps() && !stop.get(); step++) {
                for (int side = 0; side < SIDES; side++) {
                    if (neighbour(side) != null) {
                        give(side, step);
                    }
                }
                for (int side = 0; side < SIDES; side++) {
                    if (neighbour(side) != null) {
                        take(side, step, stop);
                    }
                }
                grid.compute(firstColumn, columns);
                await();
            }
        }

        private void give(int side, int step) {
            int turn = step % TURNS;
            int row = side == Stencil.UP ? 1 : grid.rows();
            MemorySegment.copy(
                    grid.now(),
                    grid.index(row, firstColumn),
                    memory.memory(),
                    ValueLayout.JAVA_DOUBLE,
                    outgoing(side, turn),
                    columns);
            // What leaves at our upper side comes to their lower side.
            int theirSide = 1 - side;
            MemoryRegion theirs = neighbour(side).rows.get(thread);
            chain.clear()
                    .writeImmediate(
                            lane.id(side, 0),
                            theirs.address() + incoming(theirSide, turn),
                            theirs.remoteKey(),
                            Arrivals.immediate(thread, theirSide))
                    .sge(memory, outgoing(side, turn), rowBytes())
                    .signaled();
            while (!lane.post(side, chain)) {
                idle.step(lane.poll());
            }
        }

        private void take(int side, int step, AtomicBoolean stop) {
            while (endpoints.arrivals().count(thread, side) <= step || lane.done(side) < lane.posted(side)) {
                if (stop.get()) {
                    throw new ToolException("stencil: another thread failed");
                }
                idle.step(lane.poll());
            }
            int row = side == Stencil.UP ? 0 : grid.rows() + 1;
            MemorySegment.copy(
                    memory.memory(),
                    ValueLayout.JAVA_DOUBLE,
                    incoming(side, step % TURNS),
                    grid.now(),
                    grid.index(row, firstColumn),
                    columns);
        }

        private void await() throws InterruptedException {
            try {
                barrier.await(settings.stallSeconds(), TimeUnit.SECONDS);
            } catch (BrokenBarrierException | TimeoutException e) {
                throw new ToolException("stencil: the threads of a rank lost each other", e);
            }
        }
    }
}
