package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.verbs.Port;
import java.util.ArrayList;
import java.util.List;

/**
 * The 5-point stencil kernel (paper, section VII). A grid is cut into bands of rows, one for each
 * process ("rank"), on two nodes; the threads of a rank share its band by columns. In each step a
 * thread writes its part of the first and the last row to the corresponding threads of the ranks
 * above and below, and gets theirs. It does so by RDMA writes with immediate data, through a queue
 * pair for each. Ranks are sets of endpoints in this process; neighbours on one node use the device
 * as well, as in the paper. One thread drives it.
 */
final class Stencil implements AutoCloseable {
    /** Sides of a band. */
    static final int UP = 0;

    static final int DOWN = 1;

    private static final int NODES = 2;
    /** Writes of a thread under way to one neighbour: the step's, and the one before. */
    private static final int DEPTH = 4;

    private static final int RECEIVES = 4;

    /**
     * The benchmark's numbers.
     *
     * @param ranksPerNode processes of a node
     * @param threadsPerRank threads of each
     * @param rowsPerRank rows of a band
     * @param columns of the grid, a multiple of the threads of a rank
     * @param steps of the computation
     * @param stallSeconds how long a thread may wait for its neighbours
     */
    record Settings(int ranksPerNode, int threadsPerRank, int rowsPerRank, int columns, int steps, int stallSeconds) {
        int ranks() {
            return NODES * ranksPerNode;
        }

        int threads() {
            return ranks() * threadsPerRank;
        }

        int columnsPerThread() {
            return columns / threadsPerRank;
        }
    }

    private final Settings settings;
    private final Category category;
    private final List<StencilRank> ranks = new ArrayList<>();

    /**
     * Makes and connects everything.
     *
     * @param settings the numbers
     * @param category how the threads of a rank share resources
     * @param port of the first node
     * @param peer of the second node
     */
    Stencil(Settings settings, Category category, Port port, Port peer) {
        this.settings = settings;
        this.category = category;
        try {
            for (int rank = 0; rank < settings.ranks(); rank++) {
                Port node = rank < settings.ranksPerNode() ? port : peer;
                Shape shape = new Shape(2, DEPTH, RECEIVES, 0);
                Endpoints endpoints = new Endpoints(category, settings.threadsPerRank(), shape, node);
                ranks.add(new StencilRank(settings, rank, endpoints));
            }
            for (int rank = 0; rank + 1 < settings.ranks(); rank++) {
                connect(ranks.get(rank), ranks.get(rank + 1));
            }
            ranks.forEach(StencilRank::postReceives);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static void connect(StencilRank upper, StencilRank lower) {
        for (int i = 0; i < upper.endpoints().distinctLanes(); i++) {
            Port.connect(
                    upper.endpoints().lane(i).pair(DOWN),
                    upper.endpoints().gid(i),
                    lower.endpoints().lane(i).pair(UP),
                    lower.endpoints().gid(i));
        }
        upper.connectTo(lower);
    }

    boolean threadDomainsMissing() {
        return ranks.getFirst().endpoints().threadDomainsMissing();
    }

    /** Computes all steps and compares with what one thread computes alone. */
    KernelResult run() {
        List<Team.Member> members = new ArrayList<>();
        ranks.forEach(rank -> members.addAll(rank.members()));
        long nanos = Team.run(members, 0);
        long messages = 2L * (settings.ranks() - 1) * settings.threadsPerRank() * settings.steps();
        Resources resources = ranks.stream().map(StencilRank::resources).reduce(Resources.NONE, Resources::plus);
        return new KernelResult(
                KernelResult.Kernel.STENCIL,
                category,
                settings.ranksPerNode() + "." + settings.threadsPerRank(),
                settings.threads(),
                messages,
                nanos,
                wrong(),
                resources);
    }

    private long wrong() {
        StencilGrid whole = new StencilGrid(0, settings.ranks() * settings.rowsPerRank(), settings.columns());
        for (int step = 0; step < settings.steps(); step++) {
            whole.compute(1, settings.columns());
            whole.swap();
        }
        long wrong = 0;
        for (int rank = 0; rank < settings.ranks(); rank++) {
            wrong += ranks.get(rank).wrong(whole);
        }
        return wrong;
    }

    @Override
    public void close() {
        ranks.forEach(rank -> rank.endpoints().close());
    }
}
