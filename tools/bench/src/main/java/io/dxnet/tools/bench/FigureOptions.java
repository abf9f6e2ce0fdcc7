package io.dxnet.tools.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code ./dxnet bench} that measure the papers' figures again. */
final class FigureOptions {
    private static final Path DIRECTORY_DEFAULT = Path.of("figures");
    private static final Set<String> NAMES = Set.of("--figures", "--figure", "--list-figures", "--quick");

    @Option(
            names = "--figures",
            paramLabel = "DIR",
            description =
                    "measure the papers' figures again: pictures (PNG, SVG), numbers (CSV) and tables (TXT) into DIR; "
                            + "all figures, or those of --figure; other options replace those of the figures")
    private Path directory;

    @Option(
            names = "--figure",
            paramLabel = "NAME",
            description = "one figure, may be repeated; into the folder 'figures' without --figures")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list-figures", description = "list the figures, what they re-create and show")
    private boolean list;

    @Option(names = "--quick", description = "figures: a short version, with few points and one run of each")
    private boolean quick;

    boolean list() {
        return list;
    }

    /** Whether figures are to be measured. */
    boolean wanted() {
        if (quick && directory == null && names.isEmpty()) {
            throw new IllegalArgumentException("--quick is for --figure and --figures");
        }
        return directory != null || !names.isEmpty();
    }

    boolean quick() {
        return quick;
    }

    Path directory() {
        return directory == null ? DIRECTORY_DEFAULT : directory;
    }

    /** The figures named, or all. */
    List<Figure> figures() {
        return names.isEmpty() ? Figures.all() : names.stream().map(Figures::of).toList();
    }

    /** What was typed beside the options for figures. */
    static List<String> others(ParseResult parsed) {
        List<String> others = new ArrayList<>();
        for (OptionSpec option : parsed.matchedOptions()) {
            if (NAMES.contains(option.longestName())) {
                continue;
            }
            for (String value : option.originalStringValues()) {
                others.add(option.longestName());
                if (option.arity().max() > 0) {
                    others.add(value);
                }
            }
        }
        return others;
    }
}
