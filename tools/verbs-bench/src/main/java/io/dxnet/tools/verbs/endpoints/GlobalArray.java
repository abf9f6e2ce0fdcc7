package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.Access;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.tools.verbs.Idle;
import io.dxnet.tools.verbs.Port;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The global array kernel (paper, section VII). The matrices of a product lie at one side; the
 * threads of the other get tiles by RDMA read, multiply them, and put tiles of the result by RDMA
 * write. One operation under way per tile, each with a completion: no chains, no unsignaled
 * requests, as in the paper. One thread drives it.
 */
final class GlobalArray implements AutoCloseable {
    /** Requests under way of a thread at most: two gets. */
    private static final int DEPTH = 4;

    private static final int REGIONS_PER_THREAD = 3;
    private static final int SEED_A = 1;
    private static final int SEED_B = 2;

    private final Tiles tiles;
    private final int stallSeconds;
    private final Endpoints endpoints;
    private final Target target;
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Makes and connects everything.
     *
     * @param tiles of the three matrices
     * @param stallSeconds how long a thread may wait for a completion
     * @param category how resources are shared
     * @param threads that compute
     * @param port this side's
     * @param peer of the side that has the matrices
     */
    GlobalArray(Tiles tiles, int stallSeconds, Category category, int threads, Port port, Port peer) {
        this.tiles = tiles;
        this.stallSeconds = stallSeconds;
        endpoints = new Endpoints(category, threads, new Shape(1, DEPTH, 0, 0), port);
        try {
            target = new Target(peer, endpoints, 3 * tiles.matrixBytes());
        } catch (RuntimeException e) {
            endpoints.close();
            throw e;
        }
        tiles.fill(matrix(0), SEED_A);
        tiles.fill(matrix(1), SEED_B);
    }

    private MemorySegment matrix(int index) {
        return target.memory().memory().asSlice(index * tiles.matrixBytes(), tiles.matrixBytes());
    }

    /**
     * Computes the whole product.
     *
     * @return what came of it
     */
    KernelResult run() {
        matrix(2).fill((byte) 0xff);
        next.set(0);
        List<Worker> workers = new ArrayList<>();
        for (int thread = 0; thread < endpoints.threads(); thread++) {
            workers.add(new Worker(endpoints.lane(thread)));
        }
        long nanos = Team.run(workers, 0);
        int perSide = tiles.perSide();
        long messages = (long) perSide * perSide * (2L * perSide + 1);
        int regions = REGIONS_PER_THREAD * endpoints.threads();
        Resources resources = endpoints.resources(regions, regions * tiles.tileBytes());
        workers.forEach(Worker::close);
        return new KernelResult(
                KernelResult.Kernel.GLOBAL_ARRAY,
                endpoints.category(),
                "1." + endpoints.threads(),
                endpoints.threads(),
                messages,
                nanos,
                tiles.wrong(matrix(2), SEED_A, SEED_B),
                resources);
    }

    @Override
    public void close() {
        endpoints.close();
        target.close();
    }

    /** One thread: computes the next tile of the result until none is left. */
    private final class Worker implements Team.Member, AutoCloseable {
        private final Lane lane;
        private final MemoryRegion a;
        private final MemoryRegion b;
        private final MemoryRegion c;
        private final SendChain chain = new SendChain(1, 1);
        private final double[] sum;
        private final Idle idle;

        Worker(Lane lane) {
            this.lane = lane;
            a = lane.domain().allocate(tiles.tileBytes(), Access.LOCAL_WRITE);
            b = lane.domain().allocate(tiles.tileBytes(), Access.LOCAL_WRITE);
            c = lane.domain().allocate(tiles.tileBytes(), Access.LOCAL_WRITE);
            sum = new double[(int) (tiles.tileBytes() / Double.BYTES)];
            idle = new Idle("global array", Duration.ofSeconds(stallSeconds), endpoints.threads());
        }

        @Override
        public void run(AtomicBoolean stop) {
            int perSide = tiles.perSide();
            for (int i = next.getAndIncrement(); i < perSide * perSide && !stop.get(); i = next.getAndIncrement()) {
                compute(i / perSide, i % perSide);
            }
        }

        private void compute(int row, int column) {
            Arrays.fill(sum, 0);
            for (int k = 0; k < tiles.perSide(); k++) {
                get(a, tiles.offset(row, k));
                get(b, tiles.matrixBytes() + tiles.offset(k, column));
                lane.awaitAll(0, idle);
                tiles.multiplyAdd(a.memory(), b.memory(), sum);
            }
            MemorySegment.copy(sum, 0, c.memory(), ValueLayout.JAVA_DOUBLE, 0, sum.length);
            long to = target.memory().address() + 2 * tiles.matrixBytes() + tiles.offset(row, column);
            chain.clear().write(lane.id(0, 0), to, target.memory().remoteKey());
            post(c);
            lane.awaitAll(0, idle);
        }

        private void get(MemoryRegion into, long offset) {
            chain.clear()
                    .read(
                            lane.id(0, 0),
                            target.memory().address() + offset,
                            target.memory().remoteKey());
            post(into);
        }

        private void post(MemoryRegion region) {
            chain.sge(region, 0, tiles.tileBytes()).signaled();
            while (!lane.post(0, chain)) {
                idle.step(lane.poll());
            }
        }

        @Override
        public void close() {
            a.close();
            b.close();
            c.close();
        }
    }
}
