package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.cli.Range;
import io.dxnet.tools.report.Counts;
import io.dxnet.tools.verbs.DeviceOptions;
import io.dxnet.tools.verbs.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ./dxnet endpoints-bench}. */
final class EndpointsOptions {
    private static final int THREADS_MAX = 128;
    /**
     * The share of the time that runs of the message rate get; the
     * kernels and the making of endpoints need the rest.
     */
    private static final double SHARE_OF_RATES = 0.7;

    private static final double RUN_SECONDS_MAX = 1;

    /** What is measured. */
    enum Part {
        /** Message rate. */
        RATE,
        /** The global array kernel. */
        ARRAY,
        /** The stencil kernel. */
        STENCIL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin
    DeviceOptions devices;

    @Option(names = "--benchmark", split = ",", paramLabel = "NAMES", description = "rate, array, stencil; default all")
    List<String> parts = new ArrayList<>();

    @Option(
            names = "--category",
            split = ",",
            paramLabel = "NAMES",
            description = "mpi-everywhere, 2xdynamic, dynamic, shared-dynamic, static, mpi+threads; default all")
    List<String> categories = new ArrayList<>();

    @Option(
            names = "--threads",
            paramLabel = "LIST",
            description = "of the message rate: 4, a list 1,2,6, or powers of two 1..16; default ${DEFAULT-VALUE}",
            defaultValue = "1..16")
    String threads;

    @Option(
            names = "--features",
            split = ",",
            paramLabel = "NAMES",
            description =
                    "none, postlist, inline, unsignaled, all, all-w/o-postlist, all-w/o-inline, all-w/o-unsignaled; "
                            + "default the first five")
    List<String> features = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "of a message, 1 to 1024; default ${DEFAULT-VALUE}, as in the paper",
            defaultValue = "2")
    int size;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "requests under way of each thread; default ${DEFAULT-VALUE}",
            defaultValue = "128")
    int depth;

    @Option(
            names = "--postlist",
            paramLabel = "N",
            description = "requests of a post; default ${DEFAULT-VALUE}, as in the paper",
            defaultValue = "32")
    int postlist;

    @Option(
            names = "--unsignaled",
            paramLabel = "N",
            description =
                    "requests of a completion, at most half of --depth; default ${DEFAULT-VALUE}, as in the paper",
            defaultValue = "64")
    int unsignaled;

    @Option(
            names = "--kernel-threads",
            paramLabel = "N",
            description =
                    "threads of the global array, and of each of the stencil's two nodes; default 16, as in the paper")
    Integer kernelThreads;

    @Option(names = "--matrix", paramLabel = "N", description = "rows of the global array's matrices; default 256")
    Integer matrix;

    @Option(
            names = "--tile",
            paramLabel = "N",
            description = "rows of a tile; default ${DEFAULT-VALUE} (2 KiB)",
            defaultValue = "16")
    int tile;

    @Option(names = "--steps", paramLabel = "N", description = "steps of the stencil; default 100")
    Integer steps;

    @Option(
            names = "--total",
            paramLabel = "S",
            description = "time of everything, about; default ${DEFAULT-VALUE}",
            defaultValue = "45")
    double total;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "time of a run of the message rate; default: from --total, at most 1")
    Double seconds;

    @Option(
            names = "--runs",
            paramLabel = "R",
            description = "runs of each message rate; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    int runs;

    @Option(names = "--quick", description = "few threads and short runs: for a check, not for numbers")
    boolean quick;

    @Option(
            names = "--verify",
            description =
                    "message rate: check what arrived at the end of each run (the kernels' results are always checked)")
    boolean verify;

    @Option(
            names = "--stall",
            paramLabel = "S",
            description = "a thread that waits for this long has failed; default ${DEFAULT-VALUE}",
            defaultValue = "15")
    int stall;

    /** Checks what picocli does not. */
    void check() {
        Values.range("--size", size, 1, 1024);
        Values.range("--depth", depth, 2, 8192);
        Values.range("--postlist", postlist, 1, depth);
        Values.range("--unsignaled", unsignaled, 1, depth / 2);
        Values.range("--kernel-threads", kernelThreads(), 1, THREADS_MAX);
        Values.range("--steps", steps(), 1, 1_000_000);
        Values.range("--runs", runs, 1, 1000);
        Values.range("--stall", stall, 1, 3600);
        Values.range("--tile", tile, 1, 512);
        Values.range("--matrix", matrixSize(), tile, 8192);
        if (seconds != null) {
            Range.checkSeconds("--seconds", seconds, Range.SECONDS_MIN);
        }
        if (total <= 0) {
            throw new IllegalArgumentException("--total must be above 0");
        }
        threads();
        categories();
        features();
        parts();
        tiles();
    }

    List<Part> parts() {
        return Values.chosen(Part.values(), List.of(Part.values()), parts, "--benchmark");
    }

    List<Category> categories() {
        return Values.chosen(Category.values(), List.of(Category.values()), categories, "--category");
    }

    List<FeatureSet> features() {
        List<FeatureSet> usual = quick
                ? List.of(FeatureSet.NONE, FeatureSet.ALL)
                : List.of(
                        FeatureSet.NONE, FeatureSet.POSTLIST, FeatureSet.INLINE, FeatureSet.UNSIGNALED, FeatureSet.ALL);
        return Values.chosen(FeatureSet.values(), usual, features, "--features");
    }

    List<Integer> threads() {
        return Counts.parse("--threads", quick && threads.equals("1..16") ? "1,4" : threads, 1, THREADS_MAX);
    }

    int kernelThreads() {
        return kernelThreads != null ? kernelThreads : quick ? 4 : 16;
    }

    private int matrixSize() {
        return matrix != null ? matrix : quick ? Math.max(64, tile) : 256;
    }

    int steps() {
        return steps != null ? steps : quick ? 10 : 100;
    }

    Tiles tiles() {
        return new Tiles(matrixSize(), tile);
    }

    /**
     * Processes per node of each layout of the stencil: one thread
     * each, about as many of both, all threads in one.
     */
    List<Integer> ranksPerNode() {
        int all = kernelThreads();
        List<Integer> ranks = new ArrayList<>(List.of(all));
        for (int each = all - 1; each > 1; each--) {
            if (all % each == 0 && each * each <= all) {
                ranks.add(each);
                break;
            }
        }
        if (all > 1) {
            ranks.add(1);
        }
        return ranks;
    }

    MessageRate.Settings rate() {
        return new MessageRate.Settings(size, depth, postlist, unsignaled, stall);
    }

    long runNs() {
        if (seconds != null) {
            return (long) (seconds * 1e9);
        }
        double all = SHARE_OF_RATES * (quick ? Math.min(total, 3) : total);
        int points = categories().size() * threads().size() * features().size() * runs;
        return (long) (Math.min(RUN_SECONDS_MAX, all / points) * 1e9);
    }
}
