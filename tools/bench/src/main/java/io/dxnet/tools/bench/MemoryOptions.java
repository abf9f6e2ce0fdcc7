package io.dxnet.tools.bench;

import io.dxnet.tools.cli.Range;
import io.dxnet.tools.report.Counts;
import io.dxnet.tools.report.Sizes;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options of {@code ./dxnet bench} for the patterns that access memory. */
final class MemoryOptions {
    private static final int BATCH_MAX = 1024;
    private static final int CHAINS_MAX = 64;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description =
                    "read, write, atomic, notify: operations of a chain, which are posted at once, 1 to 1024 (1: no"
                            + " chains): a number, list or range; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    private String batch;

    @Option(
            names = "--chains",
            paramLabel = "N",
            description =
                    "read, write, atomic, notify: chains of each thread and owner that are under way at once, 1 to 64;"
                            + " default ${DEFAULT-VALUE}: a thread waits for each",
            defaultValue = "1")
    private int chains;

    /** The numbers of operations of a chain, ascending. */
    List<Integer> batches() {
        return Counts.parse("--batch", batch, 1, BATCH_MAX);
    }

    /** How many chains of a thread and an owner are under way at once. */
    int chains() {
        Range.check("--chains", chains, 1, CHAINS_MAX);
        return chains;
    }

    /** Checks what belongs to remote memory alone, or not to it. */
    void check(Sweep sweep) {
        Pattern first = sweep.patterns().stream()
                .filter(Pattern::accessesMemory)
                .findFirst()
                .orElse(null);
        if (first == null) {
            if (sweep.batches().getLast() > 1 || chains > 1) {
                throw new IllegalArgumentException("--batch " + batch + " --chains " + chains
                        + ": chains are of the patterns read, write, atomic and notify");
            }
            return;
        }
        if (!sweep.apis().equals(List.of(Api.MESSAGES))) {
            throw new IllegalArgumentException("--api "
                    + sweep.apis().stream().map(Api::label).collect(Collectors.joining(","))
                    + ": pattern " + first.label() + " sends no messages");
        }
        long bytes = new Slices(
                        sweep.sizes().getLast(),
                        sweep.threads().getLast(),
                        sweep.batches().getLast() * chains)
                .bytes();
        if (bytes > Slices.BYTES_MAX) {
            throw new IllegalArgumentException("--size times --threads times --batch times --chains is " + bytes
                    + " bytes of memory of each node, more than " + Sizes.format(Slices.BYTES_MAX));
        }
    }
}
